/**
 * Proves guarantees of a plan. `proved` means: they hold at the end of every run that goes to its end, whatever the
 * schedule, the initial state of the plan, what tools answer, which of them fail where that is skipped or tried again,
 * and what is skipped. `safe` means: also of whatever a run that ends early has done, its compensations included.
 */
import { type Checked, check, type Diagnostic } from "../../ir/index.ts";
import {
  type GuaranteeProof,
  type Interruption,
  type Proof,
  type ProveOptions,
  prove,
  type Verdict,
} from "../../prove/index.ts";
import type { Lowered } from "./lower.ts";
import { spokenOf } from "./order.ts";

export interface CheckedPlan {
  readonly whole: Checked;
  readonly broken: Checked;
  readonly lowered: Lowered;
}

/** Problems if the documents do not check, which limits may be the reason of. */
export function checkLowered(
  lowered: Lowered,
):
  | { readonly ok: true; readonly value: CheckedPlan }
  | { readonly ok: false; readonly problems: readonly Diagnostic[] } {
  const whole = check(lowered.whole.document);
  if (!whole.ok) return whole;
  const broken = check(lowered.broken.document);
  if (!broken.ok) return broken;
  return { ok: true, value: { whole: whole.value, broken: broken.value, lowered } };
}

export async function provePlan(
  { whole, broken, lowered }: CheckedPlan,
  options: ProveOptions,
): Promise<Proof> {
  const proof = await prove(whole, options);
  const guarantees: GuaranteeProof[] = proof.guarantees.map((one) => ({
    ...one,
    verdict: judged(one, lowered),
  }));
  // Nothing that a broken run leaves in the state is promised, so only what speaks of calls is asked for there.
  const mayBeSafe = guarantees.some((one) => one.verdict.kind === "proved" && speaksOfCallsOnly(one));
  const ended = mayBeSafe ? await prove(broken, options) : undefined;
  return {
    ...proof,
    guarantees: guarantees.map((one, i) => {
      const { guarantee, verdict } = one;
      if (verdict.kind !== "proved") return { guarantee, verdict };
      const isSafe = speaksOfCallsOnly(one) && ended?.guarantees[i]?.verdict.kind === "proved";
      return { guarantee, verdict, interruption: isSafe ? { kind: "safe" } : opened(one, proof) };
    }),
    obligations: proof.obligations.map((one) => ({ ...one, verdict: real(one.verdict, lowered) })),
  };
}

function speaksOfCallsOnly({ guarantee: { formula } }: GuaranteeProof): boolean {
  if (formula === undefined) return false;
  const { order, state, flows } = spokenOf(formula);
  return !order && !state && !flows;
}

function judged({ guarantee: { formula }, verdict }: GuaranteeProof, lowered: Lowered): Verdict {
  if (verdict.kind !== "proved") return real(verdict, lowered);
  if (formula === undefined) return { kind: "unknown", why: "its formula is not here" };
  const { order, flows } = spokenOf(formula);
  // SOUNDNESS: a value goes through the state of the plan, where it is not followed.
  if (flows) return { kind: "unknown", why: "where a value comes from is not followed through a plan" };
  if (order && !lowered.chain) {
    return { kind: "unknown", why: "it depends on the order of calls, and the plan allows several" };
  }
  return verdict;
}

/** A run that breaks something may be one that the state does not allow. */
function real(verdict: Verdict, { exact }: Lowered): Verdict {
  if (verdict.kind !== "refuted" || exact) return verdict;
  const why = `${verdict.why}, in a run that only the state, or what tools answer, may rule out`;
  return { kind: "unknown", why, candidate: verdict.run };
}

/**
 * SOUNDNESS: the prover looks at runs that stop somewhere in the row. Other schedules stop elsewhere, and make up for what
 * they did, so every place may be one where it does not hold.
 */
function opened({ interruption }: GuaranteeProof, { walk }: Proof): Interruption {
  const known = interruption?.kind === "open" ? interruption.at : [];
  const certain = new Set(known.flatMap((point) => (point.certain ? [point.after] : [])));
  const places = [undefined, ...(walk?.facts ?? [])];
  return { kind: "open", at: places.map((after) => ({ after, certain: certain.has(after) })) };
}
