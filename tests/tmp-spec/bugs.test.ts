import { test } from "vitest";
import { readDocument, judge, run, record, printType, checkExpr, parseExpr } from "../../src/ir/index.ts";
const read = (t: string) => { const r = readDocument(t); if (!r.ok) { console.log(r.problems); throw new Error("x"); } return r.value.checked; };
const tryIt = (name: string, f: () => unknown) => { try { console.log(name, f()); } catch (e: any) { console.log(name, "THROWS", e.stack?.slice(0, 300)); } };
test("b", async () => {
  const d1 = read(`effect-ir 1
tool pay(amount: real)
program () {}
guarantee g(): min(w in pay: w.amount else w.amount) >= 0`);
  tryIt("otherwise", () => judge(d1, d1.document.guarantees[0]!.formula!, { inputs: record([]), trace: [] }));
  const d2 = read(`effect-ir 1
tool a(x: int, y: int)
  labels "l"
tool b(x: int)
  labels "l"
program () {}
guarantee g(): exists w in label "l": w == {x: 1}
guarantee h(): distinct(w in label "l": w)`);
  const tr = [{ position: 0, id: "c1", indices: [], tool: "a", args: record([["x", 1n], ["y", 2n]]), outcome: { kind: "returned" as const } }, { position: 1, id: "c2", indices: [], tool: "b", args: record([["x", 1n]]), outcome: { kind: "returned" as const } }];
  tryIt("label row", () => d2.document.guarantees.map((g) => judge(d2, g.formula!, { inputs: record([]), trace: tr }).kind));
  for (const t of [`let x = map([], (x: enum{}) => x)`, `let x = map([], (x: record{a: int, a: string}) => 1)`, `let x = map([], (x: enum{"a","a"}) => x)`, `let xs = foo\n for u in xs {}`, `let o = foo\n let r = {a?: o}`])
    { const r = readDocument(`effect-ir 1\nprogram () {\n ${t}\n}`); console.log(t, r.ok ? "OK" : r.problems.map((p) => p.code + " " + p.message)); }
  const d3 = read(`effect-ir 1
tool t() -> int
  ensures result > 0
tool u()
program () {
  let x = call t() catch f
  call u()
}`);
  const made: string[] = [];
  const tools = new Map([["t", { run: () => { made.push("t"); return -1; } }], ["u", { run: () => { made.push("u"); } }]]);
  const r1 = await run(d3, { inputs: record([]), tools });
  const r2 = await run(d3, { inputs: record([]), tools, recorded: r1.trace });
  console.log("resume after broken ensures:", r1.outcome, "|", r2.outcome, made);
});
