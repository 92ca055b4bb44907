/**
 * The person for whom a program works, as tools. They are asked while it runs, and what they approve is theirs.
 * `foreclaim/std/ask` refuses texts that a screen would not show as they are, and more questions than it is told.
 */
import { contract, coverage, labelled, type ToolCall, tool, untrusted } from "foreclaim";
import { desk } from "foreclaim/std/ask";

const person = desk({ maxQuestions: 10 });

/** Shows a text and what it is for; fails unless the person approves it as it stands. */
export const approve = tool({
  labels: ["question"],
  reads: true,
  stores: [],
  endorses: "untrusted",
  ensures: (approved, { text }) => approved === text,
  run: ({ what, text }: { what: string; text: string }, call: ToolCall): Promise<string> =>
    person.approve({ what, text }, call),
});

/** Shows a list and what it is for; returns those that the person approves. */
export const approveList = tool({
  labels: ["question"],
  reads: true,
  stores: [],
  endorses: "untrusted",
  requires: ({ items }) => items.length <= 200,
  ensures: (approved, { items }) => approved.every((one) => items.includes(one)),
  run: ({ what, items }: { what: string; items: string[] }, call: ToolCall): Promise<string[]> =>
    person.approveList({ what, items }, call),
});

/** Asks a question; returns the words of the person. */
export const question = tool({
  labels: ["question"],
  reads: true,
  stores: [],
  endorses: "untrusted",
  run: ({ text }: { text: string }, call: ToolCall): Promise<string> => person.ask({ question: text }, call),
});

/** The person is asked at most so often. */
export const asksAtMost = contract((n: number) => labelled("question").count() <= n);

/** The person is told these purposes only, word for word. */
export const purposes = contract(
  (texts: string[]) =>
    approve.all((a) => texts.includes(a.what)) && approveList.all((a) => texts.includes(a.what)),
);

/** No question and no purpose is worded by others. */
export const ownQuestions = contract(
  () =>
    question.none((q) => untrusted(q.text)) &&
    approve.none((a) => untrusted(a.what)) &&
    approveList.none((a) => untrusted(a.what)),
);

/** A program that asks should say how often, and word its questions itself. */
export const policy = coverage({
  whenUsed: [approve, approveList, question],
  recommended: [asksAtMost, ownQuestions],
  label: "questions",
});
