/**
 * A model that reads texts and can call nothing, as a tool. The run verifies its answer against the type that the tool declares;
 * to a proof the answer is as untrusted as the text. `foreclaim/std/llm` bounds texts, answers and calls.
 */
import { contract, coverage, flowsFrom, input, type ToolCall, tool } from "foreclaim";
import { chatModel, reader } from "foreclaim/std/llm";

const extract = reader({
  model: chatModel({
    url: "https://api.example.com/v1/chat/completions",
    model: "a-model",
    ...(process.env.LLM_KEY !== undefined && { key: process.env.LLM_KEY }),
  }),
  maxCalls: 50,
});

export interface Bill {
  payee: string;
  amount: number;
}

/** Returns the bill that a text speaks of; null if there is none. Write a tool like this for every type that you need. */
export const billIn = tool({
  reads: true,
  source: "untrusted",
  stores: [],
  requires: ({ text }) => text.length <= 50_000,
  run: ({ text }: { text: string }, call: ToolCall): Promise<Bill | null> =>
    extract({ text, question: "Who is to be paid, and how much?" }, call),
});

/** At most so many texts are given to the model. */
export const readsAtMost = contract((n: number) => billIn.count() <= n);

/** No text that the model is given is longer than this. */
export const shortTexts = contract((n: number) => billIn.all((b) => b.text.length <= n));

/** No input of the program is given to the model. */
export const keepsInputs = contract(() => billIn.none((b) => flowsFrom(b.text, input())));

/** A program that has texts read should say how many. */
export const policy = coverage({ whenUsed: [billIn], recommended: [readsAtMost], label: "reading" });
