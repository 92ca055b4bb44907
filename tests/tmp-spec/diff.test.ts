import { test, expect } from "vitest";
import { programOf } from "../support/arbitrary-program.ts";
import { endOf, runCase, traceText } from "../support/case-runs.ts";
import { naiveRun } from "../support/naive-run.ts";
import { naiveTruth } from "../support/naive-formula.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { printExpr } from "../../src/ir/text/printer.ts";
import { comparesKeysOnly } from "../support/formula-class.ts";
import { Inexact } from "../support/naive-eval.ts";
import { smaller } from "../support/program/shrink.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
const stats = new Map<string, number>();
const from = Number(process.env.FROM ?? 1), to = Number(process.env.TO ?? 1000);
async function problem(c: any): Promise<string | undefined> {
  try {
    const done = await runCase(c);
    let exp; try { exp = naiveRun(c.checked, c); } catch (e) { if (!(e instanceof Inexact)) throw e; }
    if (exp && !endOf(done).startsWith("FC14") && endOf(done) !== "FC1512") {
      if (JSON.stringify(traceText(done.trace)) !== JSON.stringify(traceText(exp.trace))) return "trace differs";
      if (endOf(done) !== (exp.stopped ?? "completed")) return "end " + endOf(done) + " vs " + exp.stopped;
    }
    for (const g of c.document.guarantees) {
      if (!g.formula) continue;
      const v = judge(c.checked, g.formula, { inputs: c.inputs, trace: done.trace, initial: c.initial });
      const t = naiveTruth(c.checked, g.formula, { inputs: c.inputs, trace: done.trace, initial: c.initial });
      stats.set(v.kind + (t ? (t.yes && t.no ? " both" : t.yes ? " yes" : " no") + (t.yes + t.no > 1 ? " worlds" : "") : " inexact"), (stats.get(v.kind + (t ? (t.yes && t.no ? " both" : t.yes ? " yes" : " no")+ (t.yes + t.no > 1 ? " worlds" : "") : " inexact")) ?? 0) + 1);
      if (!t) continue;
      if (v.kind === "unknown" && t.complete && t.yes + t.no === 1) { if (comparesKeysOnly(c.checked, g.formula)) return "not exact: " + (v as any).why; else stats.set("unknown keys", (stats.get("unknown keys") ?? 0) + 1); }
      if (v.kind === "holds" && t.no > 0) return "judge holds, naive " + JSON.stringify(t);
      if (v.kind === "violated" && t.yes > 0) return "judge violated, naive " + JSON.stringify(t);
    }
    return undefined;
  } catch (e: any) { return "throws " + String(e.stack).split("\n").slice(0, 3).join(" | ").replace(/\d+:\d+/g, ""); }
}
test("d", async () => {
  const seen = new Map<string, number>();
  for (let seed = from; seed <= to; seed++) {
    const c = programOf(seed);
    const p = await problem(c);
    if (p === undefined) continue;
    const key = p.replace(/\d+/g, "#");
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (seen.get(key)! > 2) continue;
    let small: any = c; let tries = 0;
    again: for (;;) { for (const s of smaller(small)) { if (++tries > 3000) break again; const q = await problem(s); if (q?.replace(/\d+/g, "#") === key) { small = s; continue again; } } break; }
    console.log("#### seed", seed, p, "\n" + printDocument(small.document), JSON.stringify(small.behaviour), small.initial.length);
  }
  console.log([...seen], [...stats]);
}, 600000);
