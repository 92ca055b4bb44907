/** The plain translation of certificates on random programs with loops, as a proof that runs can contradict. */
import { goalScript, translate } from "../../../src/certificate/obligations.ts";
import type { Checked } from "../../../src/ir/check/index.ts";
import { printDocument } from "../../../src/ir/text/printer.ts";
import { grouped, inductive } from "../../../src/prove/certify/find-invariants.ts";
import { replayerOf } from "../../../src/prove/certify/replayer.ts";
import type { Script, Solver, SolverLimits } from "../../../src/prove/decide/solver/port.ts";
import type { Verdict } from "../../../src/prove/verdict.ts";
import { brokenIn, withGuarantees } from "../net/broken.ts";
import { nestedCase } from "../net/nested.ts";
import { loopCase, smallLoops } from "./programs.ts";
import { type Shown, wrongIn } from "./runs.ts";

/** Returns wrong proofs; counts the cases. */
export async function wrongCertified(
  seed: number,
  solver: Solver,
  limits: SolverLimits,
  tally: Map<string, number>,
): Promise<string | undefined> {
  const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const one = loopCase(seed, smallLoops);
  const asked: Asked = {
    name: solver.name,
    version: () => solver.version(),
    check: (script) => solver.check(script, limits),
  };
  const shown = await shownOf(one.checked, asked, count);
  const wrong = shown && (await wrongIn(one, shown, seed, 25, count));
  return wrong && `seed ${seed}: ${wrong}\n${one.text}`;
}

/** Returns guarantees about nested loops that are proved although a run breaks them. */
export async function wrongCertifiedNest(
  seed: number,
  solver: Solver,
  limits: SolverLimits,
  tally: Map<string, number>,
): Promise<string | undefined> {
  const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);
  const { checked } = nestedCase(seed);
  const { guarantees } = await brokenIn(checked, seed, 15);
  const asked = {
    name: solver.name,
    version: () => solver.version(),
    check: (script: Script) => solver.check(script, limits),
  };
  for (const { guarantee } of guarantees.slice(0, 2)) {
    const one = withGuarantees(checked, [guarantee]);
    const shown = await shownOf(one, asked, count);
    count("attempted");
    const isShown = shown?.guarantees.some(({ verdict }) => verdict.kind === "proved") ?? false;
    if (isShown) return `seed ${seed}: shown and broken\n${printDocument(one.document)}`;
  }
  return undefined;
}

type Asked = Pick<Solver, "name" | "version" | "check">;

async function shownOf(
  checked: Checked,
  solver: Asked,
  count: (kind: string) => void,
): Promise<Shown | undefined> {
  const alone = translate(checked);
  if (alone.kind === "notPlain") {
    count("not plain");
    return undefined;
  }
  const found = await inductive(checked, alone, await replayerOf(solver));
  if (found.length > 0) count("with invariants");
  const plain = translate(checked, grouped(found));
  if (plain.kind === "notPlain") throw new Error(plain.why);
  const obligations: Shown["obligations"][number][] = [];
  const guarantees: Shown["guarantees"][number][] = [];
  for (const claim of plain.obligations) {
    const { kind, path } = claim;
    if (kind === "answer" || kind === "invariant") continue;
    const { text } = goalScript(plain.terms, claim, [...claim.assumptions.keys()]);
    const isShown =
      claim.goal.value === true || (await solver.check({ text, values: [] }, anyLimits)).kind === "unsat";
    const verdict: Verdict = isShown ? { kind: "proved", by: "induction" } : { kind: "unknown", why: "" };
    count(`${kind} ${isShown ? "shown" : "not shown"}`);
    if (kind === "guarantee") {
      const guarantee = checked.document.guarantees[guarantees.length];
      if (guarantee !== undefined) guarantees.push({ guarantee, verdict });
    } else obligations.push({ obligation: { kind, path }, verdict });
  }
  return { guarantees, obligations };
}

/** The solver has its own. */
const anyLimits = { timeoutMs: 0, resources: 0 };
