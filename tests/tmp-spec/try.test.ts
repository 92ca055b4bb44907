import { test } from "vitest";
import { programOf, toolsOf } from "../support/arbitrary-program.ts";
import { run } from "../../src/ir/run/interpret.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
test("t", async () => {
  const counts = new Map<string, number>(); let calls = 0; const errors = new Map<string, string>();
  const t0 = performance.now(); let gen = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    try {
      const t = performance.now();
      const c = programOf(seed);
      gen += performance.now() - t;
      const r = await run(c.checked, { inputs: c.inputs, initial: c.initial, tools: toolsOf(c) });
      const k = r.outcome.kind === "completed" ? "completed" : r.outcome.problem.code;
      counts.set(k, (counts.get(k) ?? 0) + 1); calls += r.trace.length;
      if (seed < 1) console.log(printDocument(c.document), k, r.trace.length);
    } catch (e: any) { const m = String(e.message).split("\n")[0]!.replace("zz","_"); if (!errors.has(m)) errors.set(m, seed + ": " + e.stack.slice(0, 3000)); counts.set("E " + m, (counts.get("E " + m) ?? 0) + 1); }
  }
  console.log([...counts].sort((a,b)=>b[1]-a[1]), "calls", calls, "gen ms", gen, "all ms", performance.now() - t0);
  for (const [m, e] of [...errors].slice(0, 6)) console.log("=====", e);
}, 200000);
