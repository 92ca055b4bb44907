/** Results that the kernel returns to callers. */
import type { Value } from "../../ir/index.ts";
import { type BudgetTexts, budgetAt, budgetTexts } from "../core/budget.ts";
import { type Decision, reasonsOf } from "../core/decision.ts";
import type { Check } from "../core/invariant.ts";
import type { KernelState } from "../core/state.ts";
import type { Problem } from "../problem.ts";
import { noArgs, saidIn, sentenceOf } from "../reasons.ts";
import type { Step } from "../trace/entry.ts";
import { entriesOf } from "../trie.ts";
import { canonicalText } from "../values/canonical.ts";

/** A dry run: what would become of it now. */
export interface Evaluation {
  readonly verdict: "allowed" | "refused";
  /** Why it is refused; empty if it is not. */
  readonly reasons: readonly Problem[];
  readonly checks: readonly Check[];
  /** Version of the judged state, or of the resulting state once recorded. */
  readonly version: number;
}

/** The recorded result of a command. */
export interface Outcome extends Evaluation {
  readonly seq: number;
  readonly hash: string;
  readonly receipt?: string;
  /** Further data, such as the compensations that a rollback requires. */
  readonly result?: Value;
}

export interface Status {
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly steps: number;
  readonly refusals: number;
  readonly budgets: Readonly<Record<string, BudgetTexts>>;
  /** Canonical JSON of all keys. */
  readonly state: string;
  readonly inDoubt: readonly InDoubtReservation[];
  readonly stopped?: string;
}

/** A reservation without an outcome. */
export interface InDoubtReservation {
  readonly receipt: string;
  readonly action: string;
  readonly key?: string;
  readonly time: number;
}

export function evaluationOf({ verdict, checks }: Decision, version: number): Evaluation {
  return { verdict, reasons: verdict === "allowed" ? [] : reasonsIn(checks), checks: told(checks), version };
}

export function outcomeOf(decision: Decision, { state, entry }: Step): Outcome {
  const { verdict, reasons, checks, version } = evaluationOf(decision, state.version);
  const { seq, hash, receipt } = entry;
  const { result } = decision;
  const outcome = { verdict, reasons, checks, version, seq, hash };
  if (result !== undefined)
    return receipt === undefined ? { ...outcome, result } : { ...outcome, receipt, result };
  return receipt === undefined ? outcome : { verdict, reasons, checks, version, seq, hash, receipt };
}

function reasonsIn(checks: readonly Check[]): Problem[] {
  return reasonsOf(checks).map(({ check, code = "shape", reason = "said", args = noArgs }) => {
    const words = sentenceOf(reason, args);
    return { code, message: code === "invariant" ? `${check}: ${words}` : words, reason, args };
  });
}

/** With the sentence of each that is violated. */
function told(checks: readonly Check[]): readonly Check[] {
  if (checks.every(({ reason }) => reason === undefined)) return checks;
  return checks.map((one) =>
    one.reason === undefined ? one : { ...one, message: sentenceOf(one.reason, one.args) },
  );
}

export function statusOf(state: KernelState, time: number): Status {
  const cells = [...entriesOf(state.data)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    version: state.version,
    seq: state.seq,
    head: state.head,
    steps: state.steps,
    refusals: state.refusals,
    budgets: Object.fromEntries(
      state.policy.budgets.map((policy, i) => {
        const budget = state.budgets[i];
        if (budget === undefined) throw new TypeError("a policy without its budget");
        return [policy.name, budgetTexts(budgetAt(budget, policy, Math.max(time, state.time)), policy)];
      }),
    ),
    state: `{${cells.map(([key, value]) => `${JSON.stringify(key)}:${canonicalText(value)}`).join(",")}}`,
    inDoubt: inDoubtOf(state),
    ...(state.stopped === undefined ? {} : { stopped: saidIn(state.stopped) }),
  };
}

export function inDoubtOf(state: KernelState): InDoubtReservation[] {
  return Array.from(entriesOf(state.pending), ([, { receipt, action, key, time }]) => ({
    receipt,
    action: action.id,
    ...(key === undefined ? {} : { key }),
    time,
  })).sort((a, b) => a.time - b.time || (a.receipt < b.receipt ? -1 : 1));
}
