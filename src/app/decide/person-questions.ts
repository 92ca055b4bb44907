/** Questions of tools to a person, as data that can be sent to where the person is. */
import type { Person, QuestionPlace } from "../../run/index.ts";

export type PersonQuestion = {
  /** `approve` has one item, the text to approve; `approve_list` some of which are chosen; `ask` none. */
  readonly kind: "approve" | "approve_list" | "ask";
  readonly what: string;
  readonly items: readonly string[];
};

export type PersonReply = {
  readonly approved: boolean;
  /** Positions from 0. */
  readonly chosen: readonly number[];
  readonly words: string | null;
};

/** Nobody has approved, chosen or said anything. */
export const noReply: PersonReply = { approved: false, chosen: [], words: null };

/** A person who is asked one question after the other, also by calls at the same time. */
export function personBy(
  ask: (question: PersonQuestion, signal: AbortSignal, place?: QuestionPlace) => Promise<PersonReply>,
): Person {
  let last: Promise<unknown> = Promise.resolve();
  const alone: typeof ask = (question, signal, place) => {
    const next = last.then(() => ask(question, signal, place));
    last = next.catch(() => {});
    return next;
  };
  return {
    approve: async ({ what, text }, signal, place) =>
      (await alone({ kind: "approve", what, items: [text] }, signal, place)).approved,
    approveList: async ({ what, items }, signal, place) =>
      (await alone({ kind: "approve_list", what, items }, signal, place)).chosen,
    ask: async ({ question }, signal, place) =>
      (await alone({ kind: "ask", what: question, items: [] }, signal, place)).words ?? undefined,
  };
}
