import { test } from "vitest";
import { readDocument, run, record, defaultLimits } from "../../src/ir/index.ts";
const read = (t: string) => { const r = readDocument(t); if (!r.ok) { console.log(r.problems); throw new Error("x"); } return r.value.checked; };
test("b", async () => {
  const d = read(`effect-ir 1
tool t() -> int
  ensures result >= 0 and result >= 0 and result >= 0 and result >= 0
program () { call t() }`);
  for (let steps = 0; steps < 25; steps++) { let made = 0;
    const r = await run(d, { inputs: record([]), tools: new Map([["t", { run: () => { made++; return 1; } }]]), limits: { ...defaultLimits, steps } });
    console.log(steps, made, r.trace.length, r.outcome.kind === "stopped" ? r.outcome.problem.code : "ok"); }
});
