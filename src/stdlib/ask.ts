/**
 * `foreclaim/std/ask`: questions to the person who started the run. The person sees what is there: a text with characters that a
 * screen would hide, reorder or obey is refused. Questions are counted, so that nobody is worn down.
 */

import { approve, approveList, ask } from "../tools.ts";
import { refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface DeskOptions {
  /** Questions in all (default 20). */
  readonly maxQuestions?: number;
  /** Characters of one question with all that is shown (default 4,000). */
  readonly maxCharacters?: number;
}

/** The second argument of a tool's `run`. */
type Call = Parameters<typeof ask>[1];

export interface Desk {
  readonly approve: (
    question: { readonly what: string; readonly text: string },
    call: Call,
  ) => Promise<string>;
  readonly approveList: (
    question: { readonly what: string; readonly items: readonly string[] },
    call: Call,
  ) => Promise<string[]>;
  readonly ask: (question: { readonly question: string }, call: Call) => Promise<string>;
}

/** A person to ask, for tools. */
export function desk({ maxQuestions = 20, maxCharacters = 4000 }: DeskOptions = {}): Desk {
  let asked = 0;
  function check(texts: readonly string[]): void {
    if (texts.reduce((sum, text) => sum + text.length, 0) > maxCharacters)
      refused("too-large", `a question has at most ${maxCharacters} characters`);
    for (const text of texts)
      if (/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\ud800-\udfff]/u.test(text.replace(/[\n\t]/g, " ")))
        refused("hidden-characters", "a person would not see this text as it is");
    if (asked >= maxQuestions) refused("too-many", `a person is asked at most ${maxQuestions} times`);
    asked += 1;
  }

  return {
    approve: async (question, call) => {
      check([question.what, question.text]);
      return approve(question, call);
    },
    approveList: async (question, call) => {
      check([question.what, ...question.items]);
      return approveList(question, call);
    },
    ask: async (question, call) => {
      check([question.question]);
      return ask(question, call);
    },
  };
}
