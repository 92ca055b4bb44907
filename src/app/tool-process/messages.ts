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

export type ToTools =
  | { readonly kind: "load"; readonly places: readonly { readonly name: string; readonly file: string }[] }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly tool: string;
      readonly how: "run" | "undo";
      readonly given: readonly unknown[];
      readonly call: SentCall;
    }
  | { readonly kind: "abort"; readonly id: number; readonly reason: string }
  | { readonly kind: "reply"; readonly id: number; readonly reply: unknown }
  | { readonly kind: "ping"; readonly id: number }
  | { readonly kind: "close" };

export type FromTools =
  | { readonly kind: "loaded"; readonly tools: readonly { readonly name: string; readonly undo: boolean }[] }
  | { readonly kind: "not loaded"; readonly file: string; readonly message: string }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  /** The tool returned something that is no data. */
  | { readonly kind: "no data"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly notDone: boolean; readonly message: string }
  | { readonly kind: "ask"; readonly id: number; readonly call: number; readonly question: PersonQuestion }
  | { readonly kind: "pong"; readonly id: number };

/** The name of the hidden command that runs there. */
export const toolsCommand = "tool-host";
