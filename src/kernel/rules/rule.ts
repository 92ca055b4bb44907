/** The interface of a built-in rule. Part of what must be trusted. */
import type { Value } from "../../ir/index.ts";
import type { Data } from "../core/effects.ts";
import { type Why, why } from "../reasons.ts";
import { get } from "../trie.ts";
import type { Fields } from "../values/fields.ts";
import type { AttestationGate } from "./attestations.ts";

/** Why a rule does not hold; undefined if it does. */
export type Violation = Why | undefined;

/** Each part is judged where it makes sense; a rule holds if all its parts do. */
export interface Rule {
  /** On every state, the first one included. */
  readonly state?: (after: Data) => Violation;
  /** On every change of the state, except those of emergency actions, which the policy itself spells out. */
  readonly change?: (before: Data, after: Data) => Violation;
  /** On the state before an ordinary action. */
  readonly gate?: (before: Data, clock: Clock) => Violation;
  /** Keys that ordinary effects may only increment. */
  readonly counters?: readonly string[];
  /** Keys that ordinary effects cannot write. */
  readonly protects?: readonly string[];
  /** For rules that tables of Unicode decide: whether they matter to these states. */
  readonly restsOnTables?: (after: Data, before: Data) => boolean;
  /** Set if tables of our own decide since the fourth form. */
  readonly ownTables?: true;
  /** Refuses a rule that nobody should begin with; not asked of one that a kernel has already. */
  readonly objection?: () => void;
  /**
   * Set if actions under way at the same time are judged as they would be one after the other: the rule looks at each key by
   * itself, and at nothing else that actions change. Two actions never hold the same key.
   */
  readonly isOrderFree?: true;
  /** Set for a gate that asks for attestations; it is judged beside the command, which has them. */
  readonly attests?: AttestationGate;
  /** True if a worker judges, so that an answer may take a while. */
  readonly isIsolated?: boolean;
  /** Number of recent step times that the rule needs. */
  readonly windowSteps?: number;
}

export interface Clock {
  readonly time: number;
  /** Returns the time of a step, counted back from the last; undefined if there were fewer steps. */
  readonly stepTime: (back: number) => number | undefined;
}

export type Missing = "violation" | "ok";

/** Reads the fields of a rule, and gives it. Throws `Refused`. */
export type ReadRule = (fields: Fields, missing: Missing) => Rule;

/** Judges what stands at a key, or that nothing does. */
export function at(
  key: string,
  missing: Missing,
  judge: (value: Value) => Violation,
): (data: Data) => Violation {
  return (data) => {
    const value = get(data, key);
    if (value !== undefined) return judge(value);
    return missing === "ok" ? undefined : why("absent", { key });
  };
}

/** The first violation of several. */
export function each<A extends readonly unknown[]>(
  judges: readonly ((...args: A) => Violation)[],
): (...args: A) => Violation {
  return (...args) => {
    for (const judge of judges) {
      const violation = judge(...args);
      if (violation !== undefined) return violation;
    }
    return undefined;
  };
}
