/** Decisions of the kernel, before they become entries. Part of what must be trusted. */
import type { Value } from "../../ir/index.ts";
import type { Charges } from "./budget.ts";
import type { Command } from "./command.ts";
import type { Check } from "./invariant.ts";
import { stopsNothing } from "./judge.ts";
import { type KernelState, type Reservation, type StepRecord, successor } from "./state.ts";

export interface Decision {
  readonly command: Command;
  /** `emergency` for what an emergency action asked for. */
  readonly kind: Command["kind"] | "emergency";
  readonly verdict: "allowed" | "refused";
  readonly checks: readonly Check[];
  readonly time: number;
  /** The principal that asked; `local` if absent. */
  readonly by?: string;
  /** The time that the asker's clock told, if it is not the time of the kernel. */
  readonly clock?: number;
  /** Set if the refusal is told and counted, and not to be recorded. */
  readonly folded?: true;
  readonly cost: Charges;
  /** The state if this is kept, but for what only the entry's hash can give. Made on demand: dry runs need none. */
  readonly next: () => KernelState;
  /** A change of the data, known by the hash of the entry. */
  readonly record?: (hash: string) => StepRecord;
  /** A reservation, likewise. */
  readonly reservation?: Omit<Reservation, "receipt">;
  /** Further data for the caller. */
  readonly result?: Value;
}

/** Refused for these reasons; nothing changes but the count of refusals. */
export function refusal(
  state: KernelState,
  command: Command,
  checks: readonly Check[],
  time: number,
  kind: Decision["kind"] = command.kind,
): Decision {
  const next = () => successor(state, { time, refusals: state.refusals + 1 });
  return { command, kind, verdict: "refused", checks, time, cost: noCharges(state), next };
}

export function noCharges(state: KernelState): Charges {
  return state.budgets.map(() => 0n);
}

/** The checks that made it a refusal. */
export function reasonsOf(checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => !stopsNothing(check) && check.result === "violated");
}
