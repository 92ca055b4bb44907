/**
 * Proves what a checked document guarantees, for all inputs and all tool results that meet `ensures`, or finds a run
 * that breaks it, or says why neither. Cheapest first: what folds to true needs no solver.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/index.ts";
import { Prover } from "./decide/prover.ts";
import { proveLoops, refuteWithShortLists } from "./loops/prove-loops.ts";
import { flowIn } from "./refute/flow-steps.ts";
import { Hunt } from "./refute/guided/open-claims.ts";
import { walk } from "./symbolic/symbolic-executor.ts";
import type { Progress } from "./symbolic/symbolic-state.ts";
import { sortOf } from "./symbolic/symbolic-value.ts";
import { follow, notFollowed } from "./symbolic/unsupported.ts";
import { Terms } from "./terms/factory.ts";
import type { GuaranteeProof, ObligationProof, Proof, ProveOptions } from "./verdict.ts";

export type { Interruption, StoppingPoint } from "./prefix/interruption.ts";
export type { FlowStep } from "./refute/flow-steps.ts";
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
  const hunt = options.likely === undefined ? new Hunt(checked) : undefined;
  const decided = await proveAll(checked, options, hunt);
  const proof = options.search === "short" ? decided : ((await hunt?.rest(decided)) ?? decided);
  return { ...proof, guarantees: proof.guarantees.map((one) => withFlow(checked, one)) };
}

/** Adds the path of the data to a refuted provenance guarantee. */
function withFlow(checked: Checked, proof: GuaranteeProof): GuaranteeProof {
  const { guarantee, verdict } = proof;
  if (verdict.kind !== "refuted" || guarantee.formula === undefined) return proof;
  const flow = flowIn(checked, guarantee.formula, verdict.run);
  return flow === undefined ? proof : { ...proof, verdict: { ...verdict, flow } };
}

async function proveAll(checked: Checked, options: ProveOptions, hunt: Hunt | undefined): Promise<Proof> {
  const terms = new Terms();
  const walked = follow(() => walk(checked, terms));
  if (!walked.ok) {
    const guarantees = checked.document.guarantees.map((guarantee) => ({
      guarantee,
      verdict: notFollowed(walked.why),
    }));
    return { guarantees, obligations: [] };
  }
  if (walked.value.loops.length > 0) return proveLoops(checked, terms, walked.value, options, hunt);
  const prover = new Prover(checked, terms, walked.value, options);
  const obligations = [];
  for (const obligation of walked.value.obligations) {
    obligations.push(prover.plainly(obligation) ?? (await prover.obligation(obligation)));
  }
  const guarantees = [];
  for (const guarantee of checked.document.guarantees) {
    guarantees.push(await prover.guarantee(guarantee));
  }
  const proof = { guarantees, obligations, walk: walked.value };
  const isSearched = options.likely === undefined && isOpen(proof) && readsLists(walked.value);
  return isSearched ? withShortLists(checked, proof, options) : proof;
}

function isOpen({ guarantees, obligations }: Proof): boolean {
  return [...guarantees, ...obligations].some(({ verdict }) => verdict.kind === "unknown");
}

function readsLists({ facts, checked }: Progress): boolean {
  const { inputs } = checked.document.program;
  return (
    facts.some(({ result }) => result?.kind === "opaque") ||
    inputs.some(({ type }) => type.kind !== "json" && sortOf(type) === undefined)
  );
}

/** Tries short lists for goals that are open for lists of any length, as for loops. */
async function withShortLists(
  checked: Checked,
  proof: Proof & { readonly walk: Progress },
  options: ProveOptions,
): Promise<Proof> {
  const refuted = await refuteWithShortLists(checked, proof, options);
  const better = <T extends GuaranteeProof | ObligationProof>(before: T): T => {
    const verdict = refuted.get("guarantee" in before ? before.guarantee : before.obligation);
    return verdict === undefined ? before : { ...before, verdict };
  };
  return {
    ...proof,
    guarantees: proof.guarantees.map((one) => better(one)),
    obligations: proof.obligations.map((one) => better(one)),
  };
}
