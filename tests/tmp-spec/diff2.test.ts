import { test, expect } from "vitest";
import { programOf } from "../support/arbitrary-program.ts";
import { naiveTruth } from "../support/naive-formula.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { comparesKeysOnly } from "../support/formula-class.ts";
import { smaller } from "../support/program/shrink.ts";
import { someTrace, shorter } from "../support/program/traces.ts";
import { Chance } from "../support/program/chance.ts";
import { traceText } from "../support/case-runs.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
const stats = new Map<string, number>();
const from = Number(process.env.FROM ?? 1), to = Number(process.env.TO ?? 1000);
function problem(c: any, r: any): string | undefined {
  try {
    for (const g of c.document.guarantees) {
      if (!g.formula) continue;
      const v = judge(c.checked, g.formula, r);
      const t = naiveTruth(c.checked, g.formula, r);
      const k = v.kind + (t ? (t.yes && t.no ? " both" : t.yes ? " yes" : " no") + (t.yes + t.no > 1 ? " worlds" : "") : " inexact");
      stats.set(k, (stats.get(k) ?? 0) + 1);
      if (!t) continue;
      if (v.kind === "unknown" && t.complete && t.yes + t.no === 1) { if (comparesKeysOnly(c.checked, g.formula)) return "not exact: " + (v as any).why; else stats.set("unknown keys", (stats.get("unknown keys") ?? 0) + 1); }
      if (v.kind === "holds" && t.no > 0) return "judge holds, naive no";
      if (v.kind === "violated" && t.yes > 0) return "judge violated, naive yes";
    }
    return undefined;
  } catch (e: any) { return "throws " + String(e.stack).split("\n").slice(0, 3).join(" | ").replace(/\d+:\d+/g, ""); }
}
test("d", async () => {
  const seen = new Map<string, number>();
  for (let seed = from; seed <= to; seed++) {
    const c = programOf(seed, { commands: 0, guarantees: 6, tools: 3 });
    const r = someTrace(Chance.seeded(seed), c, { length: 6, failing: seed % 3 === 0 ? 0 : 40, unknown: seed % 5 === 0 });
    const p = problem(c, r);
    if (p === undefined) continue;
    const key = p.replace(/\d+/g, "#");
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (seen.get(key)! > 2) continue;
    let small: any = c; let run = r; let tries = 0;
    again: for (;;) {
      for (const s of shorter(run)) { const q = problem(small, s); if (q?.replace(/\d+/g, "#") === key) { run = s; continue again; } }
      for (const s of smaller(small)) { if (++tries > 5000) break again; const q = problem(s, run); if (q?.replace(/\d+/g, "#") === key) { small = s; continue again; } } break; }
    console.log("#### seed", seed, p, "\n" + printDocument(small.document), traceText(run.trace), JSON.stringify(run.initial, (k, v) => typeof v === "bigint" ? `${v}n` : v));
  }
  console.log([...seen], [...stats]);
}, 600000);
