/** Reads texts with a model that can call nothing. To a proof its answers are as untrusted as the texts. */
import { type ToolCall, tool } from "foreclaim";
import { extractor, recordedModel } from "foreclaim/tools";

export interface Bill {
  payee: string;
  amount: number;
}

/** In place of a real one, such as `anthropic("claude-…")` of the AI SDK. */
const model = recordedModel([{ payee: "paper & co", amount: 40 }]);
const extract = extractor(model);

/** The bill that a text speaks of; null if there is none. */
export const billIn = tool({
  reads: true,
  stores: [],
  run: ({ text }: { text: string }, call: ToolCall): Promise<Bill | null> =>
    extract({ text, question: "Who is to be paid, and how much?" }, call),
});
