import { test } from "vitest";
import { readDocument, judge, run, record } from "../../src/ir/index.ts";
const read = (t: string) => { const r = readDocument(t); if (!r.ok) { console.log(r.problems); throw new Error("x"); } return r.value.checked; };
test("b", async () => {
  const d = read(`effect-ir 1
fluent f[enum{"a"}]: enum{"a"} = "a"
tool t(k: enum{"a"})
  sets f[k] = k
program () {
  call t(k: value(at(map([], (x: enum{}) => x), 0)))
}
guarantee g(): forall w in t: w.k == "a"`);
  try { console.log(await run(d, { inputs: record([]), tools: new Map([["t", { run: () => 0 }]]) })); } catch (e) { console.log("REJECTED", e); }
});
