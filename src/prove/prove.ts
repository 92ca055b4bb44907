/**
 * Proves what a checked document guarantees, for all inputs and all tool results that meet `ensures`, or finds a run
 * that breaks it, or says why neither. Cheapest first: what folds to true needs no solver.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import { Terms } from "./factory.ts";
import { proveLoops } from "./prove-loops.ts";
import { follow, notFollowed, Prover } from "./prover.ts";
import type { Proof, ProveOptions } from "./verdict.ts";
import { walk } from "./walk.ts";

export type { Interruption, StoppingPoint } from "./interruption.ts";
export type {
  Evidence,
  GuaranteeProof,
  ObligationProof,
  Proof,
  ProveOptions,
  Question,
  Verdict,
} from "./verdict.ts";

export async function prove(checked: Checked, options: ProveOptions): Promise<Proof> {
  const terms = new Terms();
  const walked = follow(() => walk(checked, terms));
  if (!walked.ok) {
    const guarantees = checked.document.guarantees.map((guarantee) => ({
      guarantee,
      verdict: notFollowed(walked.why),
    }));
    return { guarantees, obligations: [] };
  }
  if (walked.value.hasUnknownLoops) return proveLoops(checked, terms, walked.value, options);
  const prover = new Prover(checked, terms, walked.value, options);
  const obligations = [];
  for (const obligation of walked.value.obligations) {
    obligations.push(await prover.obligation(obligation));
  }
  const guarantees = [];
  for (const guarantee of checked.document.guarantees) {
    guarantees.push(await prover.guarantee(guarantee));
  }
  return { guarantees, obligations, walk: walked.value };
}
