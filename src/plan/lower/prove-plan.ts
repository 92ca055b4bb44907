/**
 * Proves guarantees of a plan: of the document that runs, as of any other. Two things are known besides.
 * - A counterexample may be a run that the state of the plan rules out, since a proof does not follow that.
 * - A run that ends early makes compensating calls, which are not in the document.
 */
import {
  type Checked,
  check,
  type Diagnostic,
  type Document,
  type Expr,
  exprsIn,
  type Relation,
  selectionsOf,
} from "../../ir/index.ts";
import {
  type GuaranteeProof,
  type Interruption,
  type Proof,
  type ProveOptions,
  prove,
  type Verdict,
} from "../../prove/index.ts";
import type { Lowered } from "./lower.ts";

export interface CheckedPlan {
  readonly checked: Checked;
  readonly lowered: Lowered;
}

/** Problems if the documents do not check, which limits may be the reason of. */
export function checkLowered(
  lowered: Lowered,
):
  | { readonly ok: true; readonly value: CheckedPlan }
  | { readonly ok: false; readonly problems: readonly Diagnostic[] } {
  const checked = check(lowered.document);
  if (!checked.ok) return checked;
  const stopped = lowered.stopped === undefined ? checked : check(lowered.stopped);
  return stopped.ok ? { ok: true, value: { checked: checked.value, lowered } } : stopped;
}

/** @param checked the document of the plan, maybe with guarantees that somebody else asks for */
export async function provePlan(lowered: Lowered, checked: Checked, options: ProveOptions): Promise<Proof> {
  const proof = await prove(checked, options);
  const guarantees: GuaranteeProof[] = proof.guarantees.map((one) => ({
    ...one,
    verdict: judged(one, lowered),
  }));
  const isProved = guarantees.some(({ verdict }) => verdict.kind === "proved");
  const stopped =
    lowered.stopped === undefined || !isProved ? undefined : stoppedAs(lowered.stopped, checked);
  const ended = stopped && (await prove(stopped, options));
  return {
    ...proof,
    guarantees: guarantees.map((one, i) => {
      const { guarantee, verdict, interruption } = one;
      if (verdict.kind !== "proved") return { guarantee, verdict };
      if (lowered.stopped === undefined) return one;
      const holds = speaksOfCallsOnly(guarantee.formula) && ended?.guarantees[i]?.verdict.kind === "proved";
      if (holds && interruption?.kind === "safe") return one;
      return { guarantee, verdict, interruption: opened(one, proof) };
    }),
    obligations: proof.obligations.map((one) => ({ ...one, verdict: real(one.verdict, lowered) })),
  };
}

/** The runs that end early, with the guarantees of the other document and what those speak of. */
function stoppedAs(stopped: Document, { document }: Checked): Checked | undefined {
  const own = new Map(stopped.tools.map((tool) => [tool.name, tool]));
  const tools = document.tools.map((tool) => own.get(tool.name) ?? tool);
  const { fluents, guarantees } = document;
  const checked = check({ ...stopped, fluents, tools, guarantees });
  return checked.ok ? checked.value : undefined;
}

/** SOUNDNESS: nothing that a run that ended early leaves in the state is promised, nor in which order it compensates. */
function speaksOfCallsOnly(formula: Expr | undefined): boolean {
  const kinds = kindsIn(formula);
  return (
    formula !== undefined &&
    !(["always", "precedes", "automaton", "cell", "cells"] as const).some((one) => kinds.has(one))
  );
}

function kindsIn(formula: Expr | undefined): ReadonlySet<Expr["kind"] | Relation["kind"]> {
  const exprs = [...exprsIn(formula)];
  const relations = exprs.flatMap(selectionsOf).map(({ in: relation }) => relation.kind);
  return new Set([...exprs.map(({ kind }) => kind), ...relations]);
}

function judged({ guarantee: { formula }, verdict }: GuaranteeProof, lowered: Lowered): Verdict {
  if (verdict.kind !== "proved") return real(verdict, lowered);
  if (formula === undefined) return { kind: "unknown", why: "its formula is not here" };
  const kinds = kindsIn(formula);
  // SOUNDNESS: a value goes through the state of the plan, where it is not followed.
  return (["flows", "influenced", "mayRead"] as const).some((one) => kinds.has(one))
    ? { kind: "unknown", why: "provenance is not tracked through a plan" }
    : verdict;
}

/** A run that breaks something may be one that the state does not allow. */
function real(verdict: Verdict, { exact }: Lowered): Verdict {
  if (verdict.kind !== "refuted" || exact) return verdict;
  const why = `${verdict.why}, in a run that only the state or tool results may rule out`;
  return { kind: "unknown", why, candidate: verdict.run };
}

/** SOUNDNESS: runs that end anywhere compensate, so every place may be one where it does not hold. */
function opened({ interruption }: GuaranteeProof, { walk }: Proof): Interruption {
  const known = interruption?.kind === "open" ? interruption.at : [];
  const certain = new Set(known.flatMap((point) => (point.certain ? [point.after] : [])));
  const places = [undefined, ...(walk?.facts ?? [])];
  return { kind: "open", at: places.map((after) => ({ after, certain: certain.has(after) })) };
}
