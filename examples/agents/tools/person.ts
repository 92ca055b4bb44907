/** The person for whom the program works. They are asked while it runs, and what they say is theirs. */
import { type ToolCall, tool } from "foreclaim";
import * as person from "foreclaim/tools";

/** Shows a text and what it is for; fails unless the person approves it as it stands. */
export const approve = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { text }) => approved === text,
  run: ({ what, text }: { what: string; text: string }, call: ToolCall): Promise<string> =>
    person.approve({ what, text }, call),
});

/** Shows a list and what it is for; returns those that the person approves. */
export const approveList = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { items }) => approved.every((one) => items.includes(one)),
  run: ({ what, items }: { what: string; items: string[] }, call: ToolCall): Promise<string[]> =>
    person.approveList({ what, items }, call),
});

/** Asks a question; returns the words of the person. */
export const ask = tool({
  reads: true,
  stores: [],
  endorses: "untrusted",
  run: ({ question }: { question: string }, call: ToolCall): Promise<string> =>
    person.ask({ question }, call),
});
