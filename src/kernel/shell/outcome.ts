/** Results that the kernel returns to callers. */
import type { Value } from "../../ir/index.ts";
import { type BudgetTexts, budgetAt, budgetTexts } from "../core/budget.ts";
import { type Decision, reasonsOf } from "../core/decision.ts";
import type { Check } from "../core/invariant.ts";
import { localPrincipal, shareLeft, useOf } from "../core/principal.ts";
import type { KernelState, Reservation } from "../core/state.ts";
import type { Problem } from "../problem.ts";
import { noArgs, saidIn, sentenceOf } from "../reasons.ts";
import type { Step } from "../trace/entry.ts";
import { entriesOf, get } from "../trie.ts";
import { canonicalText } from "../values/canonical.ts";
import { amountText } from "../values/units.ts";

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
  /**
   * Set if the refusal is counted and not recorded, because the principal was refused too often; `seq` and `hash` are then
   * those of the last entry.
   */
  readonly folded?: true;
}

/** A principal's use of its quotas and shares. */
export interface PrincipalStatus {
  readonly steps: number;
  readonly reservations: number;
  /** Recorded refusals of its window, and those that were only counted, ever. */
  readonly refusals: number;
  readonly folded: number;
  readonly parent?: string;
  /** Share of each budget that it has one of. */
  readonly shares: Readonly<Record<string, ShareTexts>>;
}

export interface ShareTexts {
  readonly spent: string;
  readonly held: string;
  readonly given: string;
  readonly left: string;
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
  /** Declared principals and those that have asked for something; absent if there is nobody but `local`. */
  readonly principals?: Readonly<Record<string, PrincipalStatus>>;
}

/** A reservation without an outcome. */
export interface InDoubtReservation {
  readonly receipt: string;
  readonly action: string;
  readonly key?: string;
  readonly time: number;
  /** The principal that holds it; absent for `local`. */
  readonly principal?: string;
  /** End of its lease. */
  readonly until?: number;
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

export function foldedOutcome(decision: Decision, { seq, head, version }: KernelState): Outcome {
  return { ...evaluationOf(decision, version), seq, hash: head, folded: true };
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
    ...(hasOthers(state) ? { principals: principalsOf(state) } : {}),
    ...(state.stopped === undefined ? {} : { stopped: saidIn(state.stopped) }),
  };
}

function hasOthers({ policy, principals }: KernelState): boolean {
  const known = principals.size - (get(principals, localPrincipal) === undefined ? 0 : 1);
  return policy.principals !== undefined || known > 0;
}

function principalsOf(state: KernelState): Record<string, PrincipalStatus> {
  const names = new Set([
    ...(state.policy.principals?.keys() ?? []),
    ...[...entriesOf(state.principals)].map(([name]) => name),
  ]);
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const { steps, pending, refusals, folded, parent, spent, held, given } = useOf(state, name);
      const shares = state.policy.budgets.flatMap(({ name: budget, quantum }, i): [string, ShareTexts][] => {
        const left = shareLeft(state, name, i);
        if (left === undefined) return [];
        const text = (units: bigint | undefined) => amountText(units ?? 0n, quantum);
        return [
          [budget, { spent: text(spent[i]), held: text(held[i]), given: text(given[i]), left: text(left) }],
        ];
      });
      const counts = {
        steps,
        reservations: pending,
        refusals,
        folded,
        ...(parent === undefined ? {} : { parent }),
      };
      return [name, { ...counts, shares: Object.fromEntries(shares) }];
    }),
  );
}

export function inDoubtOf(state: KernelState): InDoubtReservation[] {
  return Array.from(entriesOf(state.pending), ([, one]) => inDoubt(one)).sort(
    (a, b) => a.time - b.time || (a.receipt < b.receipt ? -1 : 1),
  );
}

/** Returns the reservations without an outcome that would write one of the keys, also those whose lease is over. */
export function reservationsOn(state: KernelState, keys: ReadonlySet<string>): InDoubtReservation[] {
  return Array.from(entriesOf(state.pending), ([, one]) => one)
    .filter(({ action }) => action.writes.some((key) => keys.has(key)))
    .sort((a, b) => a.seq - b.seq)
    .map(inDoubt);
}

function inDoubt({ receipt, action, key, time, by, until }: Reservation): InDoubtReservation {
  return {
    receipt,
    action: action.id,
    ...(key === undefined ? {} : { key }),
    ...(by === undefined ? {} : { principal: by }),
    ...(until === undefined ? {} : { until }),
    time,
  };
}
