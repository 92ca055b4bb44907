/** Calls as a standing guarantee sees them, and what each part of one makes of a call. Part of what must be trusted. */
import type { Known } from "../eval/evaluate.ts";
import type { Write } from "../eval/state.ts";
import type { Outcome, TraceEntry } from "../eval/trace.ts";

/** A call that may be made, or was begun. */
export interface StandingCall extends Pick<TraceEntry, "position" | "tool" | "args"> {
  /** Its writes if it succeeds, evaluated in the state before it. */
  readonly writes: readonly Write[];
}

/** A part of a formula whose value is kept from call to call. */
export interface Leaf {
  /** The value on the calls that were begun; a call that has not ended counts as a failed one. */
  readonly value: Known;
  /** Looks at a call that may be made; undefined where the call makes no difference to the value. */
  look(call: StandingCall): Watched | undefined;
}

/** A part that only other parts ask. */
export interface Asked {
  look(call: StandingCall): Pick<Watched, "begin" | "end" | "cancel"> | undefined;
}

/** The difference that one call makes to one part. */
export interface Watched {
  /** The value if the call is made now. */
  readonly value: Known;
  begin(): void;
  /** Ends the call. INVARIANT: it was begun. */
  end(outcome: Outcome): void;
  /** Cancels the call: it was begun, and not made after all. */
  cancel(): void;
}
