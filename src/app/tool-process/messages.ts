/** Messages between a run and the process of its tools. Structured data: whatever the algorithm of that name can copy. */
import type { PersonQuestion } from "../decide/person-questions.ts";

/** The part of a call's context that can be sent. */
export interface SentCall {
  readonly actionId: string;
  readonly runId: string;
  readonly key: string;
  readonly attempt: number;
  readonly result?: unknown;
  /** True if a person can be asked. */
  readonly hasPerson: boolean;
}

export interface SentPlace {
  readonly name: string;
  readonly file: string;
}

export type ToTools =
  | { readonly kind: "load"; readonly places: readonly SentPlace[]; readonly fluents: readonly SentPlace[] }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly tool: string;
      readonly how: "run" | "undo";
      readonly given: readonly unknown[];
      readonly call: SentCall;
    }
  /** Asks the probe of a fluent: for the value at a key, or for all keys. */
  | {
      readonly kind: "probe";
      readonly id: number;
      readonly fluent: string;
      readonly how: "probe" | "keys";
      readonly given: readonly unknown[];
    }
  | { readonly kind: "abort"; readonly id: number; readonly reason: string }
  | { readonly kind: "reply"; readonly id: number; readonly reply: unknown }
  | { readonly kind: "ping"; readonly id: number }
  | { readonly kind: "close" };

export type FromTools =
  | {
      readonly kind: "loaded";
      readonly tools: readonly { readonly name: string; readonly undo: boolean }[];
      readonly probes: readonly { readonly name: string; readonly keys: boolean; readonly takes: boolean }[];
    }
  | { readonly kind: "not loaded"; readonly file: string; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  /** The tool returned something that is no data. */
  | { readonly kind: "no data"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly notDone: boolean; readonly message: string }
  | { readonly kind: "ask"; readonly id: number; readonly call: number; readonly question: PersonQuestion }
  | { readonly kind: "pong"; readonly id: number };

/** The name of the hidden command that runs there. */
export const toolsCommand = "tool-host";
