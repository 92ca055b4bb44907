/**
 * Tools for the OpenAI Agents SDK (`@openai/agents`), by shape: nothing of it is imported.
 *
 * @example const agent = new Agent({ name: "payer", tools: foreclaim({ folder: "." }).tools });
 */
import type { RunQuestion } from "../app/index.ts";
import { Foreclaim, type ForeclaimOptions, toolList } from "./core.ts";

export type { Approval, Approve, ForeclaimOptions } from "./core.ts";

interface CallDetails {
  readonly toolCall?: { readonly callId?: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A function tool as `new Agent` takes it. */
export interface OpenAiTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: (typeof toolList)[number]["schema"];
  /** Inputs of programs have names of their own, which the SDK's strict form cannot say. */
  readonly strict: false;
  readonly invoke: (context: unknown, input: string, details?: CallDetails) => Promise<string>;
  readonly needsApproval: (context: unknown, input: unknown, callId?: string) => Promise<boolean>;
  readonly isEnabled: () => Promise<boolean>;
}

export interface OpenAiTools {
  readonly tools: OpenAiTool[];
  /** The question behind an interruption (`rawItem.callId`), to show to the person. */
  readonly questionFor: (callId: string) => RunQuestion | undefined;
}

export function foreclaim(options: ForeclaimOptions = {}): OpenAiTools {
  const hall = new Foreclaim(options, "OpenAI Agents approval");
  const tools = toolList.map(
    ({ name, description, schema }): OpenAiTool => ({
      type: "function",
      name,
      description,
      parameters: schema,
      strict: false,
      needsApproval: async (_context, input, callId) =>
        name === "run" && (await hall.questionFor(parsed(input), { id: callId })) !== undefined,
      invoke: async (_context, input, details) => {
        const call = { id: details?.toolCall?.callId, signal: details?.signal };
        return JSON.stringify(await hall.call(name, parsed(input), call));
      },
      isEnabled: async () => true,
    }),
  );
  return { tools, questionFor: (callId) => hall.asked(callId) };
}

/** The SDK passes the model's text on, or has read it already. What is no JSON is no object either, and refused as such. */
function parsed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
