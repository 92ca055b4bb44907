/**
 * Principals: who asks. A policy may declare them, with quotas and shares of budgets; without a declaration everybody is
 * welcome, and `local`, the principal of a caller without a credential, is the operator. A principal that is declared with a
 * key signs its entries. Part of what must be trusted.
 */
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { type KeyObject, publicKeyOf } from "../signature.ts";
import { get, set, type Trie } from "../trie.ts";
import type { Charges } from "./budget.ts";
import type { Command } from "./command.ts";
import { type Check, passing, violated } from "./invariant.ts";
import type { Policy } from "./policy.ts";
import type { KernelState } from "./state.ts";

/** The principal of a caller that names none. */
export const localPrincipal = "local";

/** A bound on something in any window of that length; windows are those of the principal's own clock. */
export interface Quota {
  readonly max: number;
  readonly windowMs: number;
}

export interface PrincipalPolicy {
  readonly name: string;
  /** Operators grant, observe, stop, resume, change the policy, and end what others reserved. */
  readonly operator: boolean;
  /** Ed25519, in PEM, as given. */
  readonly key?: string;
  readonly publicKey?: KeyObject;
  readonly maxSteps?: number;
  /** Reservations without an outcome. */
  readonly reservations: number;
  readonly refusals: Quota;
  /** Code units of commands. */
  readonly writes?: Quota;
  /** Shares of budgets, by their position; undefined where it may spend all that is left. */
  readonly shares: readonly (bigint | undefined)[];
}

/** Use that a principal has made of its quotas and shares. */
export interface PrincipalUse {
  readonly steps: number;
  readonly pending: number;
  /** Recorded refusals in the window, and their code units. */
  readonly refusals: number;
  readonly refused: number;
  readonly refusalsWindow: number;
  /** Refusals that were told and not recorded. */
  readonly folded: number;
  /** Code units written in the window. */
  readonly written: number;
  readonly writesWindow: number;
  /** Its own clock: the latest time that it told. */
  readonly clock: number;
  readonly emergencies: ReadonlyMap<string, number>;
  /** By the position of the budget: spent and not refunded, held, received from the parent, given to children. */
  readonly spent: Charges;
  readonly held: Charges;
  readonly received: Charges;
  readonly given: Charges;
  /** The principal that its share came from, and the key that it came with. */
  readonly parent?: string;
  readonly key?: string;
  readonly children: number;
}

export type Uses = Trie<PrincipalUse>;

export const noUse: PrincipalUse = Object.freeze({
  steps: 0,
  pending: 0,
  refusals: 0,
  refused: 0,
  refusalsWindow: 0,
  folded: 0,
  written: 0,
  writesWindow: 0,
  clock: 0,
  emergencies: new Map(),
  spent: [],
  held: [],
  received: [],
  given: [],
  children: 0,
});

export const defaultRefusals: Quota = Object.freeze({ max: limits.refusals, windowMs: limits.refusalsMs });

export function useOf(state: KernelState, name: string): PrincipalUse {
  return get(state.principals, name) ?? noUse;
}

/** True if what it uses is counted. Of `local` without declared principals only refusals are. */
export function isCounted(state: KernelState, name: string): boolean {
  return name !== localPrincipal || state.policy.principals !== undefined;
}

export function isOperator({ policy }: KernelState, name: string): boolean {
  return policy.principals === undefined
    ? name === localPrincipal
    : policy.principals.get(name)?.operator === true;
}

function isKnown(state: KernelState, name: string): boolean {
  if (state.policy.principals === undefined) return true;
  return state.policy.principals.has(name) || get(state.principals, name)?.parent !== undefined;
}

/** The public key that entries of a principal are signed with: that of the policy, or of the delegation. */
export function keyOf({ policy, principals }: KernelState, name: string): KeyObject | undefined {
  const declared = policy.principals?.get(name)?.publicKey;
  if (declared !== undefined || principals.size === 0) return declared;
  const key = get(principals, name)?.key;
  return key === undefined ? undefined : publicKeyOf(key);
}

const known = passing("principal");

const operatorKinds: ReadonlySet<Command["kind"]> = new Set(["grant", "observe", "stop", "resume", "policy"]);

/**
 * Checks that come before all others: undefined where nobody is counted, so that kernels without principals decide as
 * they did. SOUNDNESS (T8): an emergency action of a known principal meets none of its quotas.
 */
export function checkPrincipal(
  state: KernelState,
  command: Command,
  name: string,
  units: () => number,
  clock: number,
): Check | undefined {
  if (!isKnown(state, name)) return violated("principal", "no such principal", { principal: name });
  if (operatorKinds.has(command.kind) && !isOperator(state, name))
    return violated("principal", "for operators", { principal: name, kind: command.kind });
  if (!isCounted(state, name)) return undefined;
  if (isUnknownFlood(state, name) && get(state.principals, name) === undefined)
    return violated("principal", "too many principals", { most: limits.knownPrincipals });
  const quota = state.policy.principals?.get(name)?.writes;
  if (quota !== undefined && !isUrgent(state.policy, command)) {
    const use = useOf(state, name);
    const window = Math.floor(Math.max(clock, use.clock) / quota.windowMs);
    const written = window === use.writesWindow ? use.written : 0;
    if (written + units() > quota.max) {
      const args = { principal: name, most: quota.max, windowMs: quota.windowMs };
      return violated("quota", "too much to write", args);
    }
  }
  return known;
}

/** True for commands that must get through at every limit: emergency actions and `stop`. */
export function isUrgent({ emergencies }: Policy, command: Command): boolean {
  return command.kind === "stop" || (command.kind === "execute" && emergencies.has(command.action.id));
}

/** Quota of refusals of a principal. */
function refusalsOf({ policy }: KernelState, name: string): Quota {
  return policy.principals?.get(name)?.refusals ?? defaultRefusals;
}

/** True if a refusal is told and counted, and not recorded, because the principal was refused too often. */
export function isFolded(state: KernelState, name: string, clock: number): boolean {
  const use = get(state.principals, name);
  if (use === undefined) return isUnknownFlood(state, name);
  const { max, windowMs } = refusalsOf(state, name);
  const window = Math.floor(Math.max(clock, use.clock) / windowMs);
  return window === use.refusalsWindow && (use.refusals >= max || use.refused >= limits.refusedUnits);
}

/** Names that nobody declared are not remembered without bound. */
function isUnknownFlood(state: KernelState, name: string): boolean {
  return state.principals.size >= limits.knownPrincipals && !(state.policy.principals?.has(name) ?? false);
}

/** One more recorded refusal of so many code units. */
export function withRefusal(state: KernelState, name: string, units: number, clock: number): Uses {
  const use = useOf(state, name);
  const { windowMs } = refusalsOf(state, name);
  const now = Math.max(clock, use.clock);
  const window = Math.floor(now / windowMs);
  const isSame = window === use.refusalsWindow;
  return set(state.principals, name, {
    ...use,
    refusals: (isSame ? use.refusals : 0) + 1,
    refused: (isSame ? use.refused : 0) + units,
    refusalsWindow: window,
    clock: now,
  });
}

/** Counts what was written by one that is counted, and its clock. */
export function withWrites(
  state: KernelState,
  uses: Uses,
  name: string,
  units: () => number,
  clock: number,
): Uses {
  const quota = state.policy.principals?.get(name)?.writes;
  if (quota === undefined) return uses;
  const use = get(uses, name) ?? noUse;
  const now = Math.max(clock, use.clock);
  const window = Math.floor(now / quota.windowMs);
  const written = (window === use.writesWindow ? use.written : 0) + units();
  return set(uses, name, { ...use, written, writesWindow: window, clock: now });
}

/** The uses with one changed, if that principal is counted. */
export function changedUse(
  state: KernelState,
  name: string,
  change: (use: PrincipalUse) => PrincipalUse,
  uses: Uses = state.principals,
): Uses {
  return isCounted(state, name) ? set(uses, name, change(get(uses, name) ?? noUse)) : uses;
}

/** The sum of two amounts of each budget. */
export function plus(a: Charges, b: Charges): Charges {
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, i) => (a[i] ?? 0n) + (b[i] ?? 0n));
}

export function minus(a: Charges, b: Charges): Charges {
  return plus(
    a,
    b.map((units) => -units),
  );
}

/** The rest of its share of a budget; undefined if it has no share of its own and so may spend all that is left. */
export function shareLeft(state: KernelState, name: string, at: number): bigint | undefined {
  const declared = state.policy.principals?.get(name)?.shares[at];
  const use = get(state.principals, name);
  if (declared === undefined && use?.parent === undefined) return undefined;
  const { spent, held, received, given } = use ?? noUse;
  return (declared ?? 0n) + (received[at] ?? 0n) - (spent[at] ?? 0n) - (held[at] ?? 0n) - (given[at] ?? 0n);
}

/** True for the owner of a reservation or a step, and for an operator. */
export function isItsOwn(state: KernelState, name: string, owner: string): boolean {
  return name === owner || isOperator(state, name);
}

/** Refuses a lease that is none. */
export function checkLease(leaseMs: number): number {
  return leaseMs >= 1 && leaseMs <= limits.jumpMs
    ? leaseMs
    : refuse("lease is too long", { most: limits.jumpMs });
}
