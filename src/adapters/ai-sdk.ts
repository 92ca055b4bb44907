/**
 * Tools for the AI SDK (`ai` 6 and 7), by shape: nothing of it is imported.
 *
 * @example const { tools } = foreclaim({ folder: "." }); await generateText({ model, tools, prompt });
 */
import { type AgentAnswer, Foreclaim, type ForeclaimOptions, toolList } from "./core.ts";

export type { Approval, Approve, ForeclaimOptions } from "./core.ts";

/** By this mark the SDK knows a schema of its own. */
const schemaMark: unique symbol = Symbol.for("vercel.ai.schema") as never;

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool as `generateText` and agents of the SDK take it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  readonly needsApproval?: (input: unknown, options: CallOptions) => Promise<boolean>;
  readonly execute: (input: unknown, options: CallOptions) => Promise<AgentAnswer>;
}

export interface AiSdkSchema {
  readonly [schemaMark]: true;
  readonly _type: unknown;
  readonly jsonSchema: object;
}

export interface AiSdkTools {
  readonly tools: { readonly [Name in (typeof toolList)[number]["name"]]: AiSdkTool };
  /** For `toolApproval` of version 7: asks a person where one has to decide, and shows them the guarantees. */
  readonly toolApproval: { readonly run: (input: unknown, options: CallOptions) => Promise<AiSdkStatus> };
  readonly close: () => Promise<void>;
}

export type AiSdkStatus = "not-applicable" | { readonly type: "user-approval"; readonly reason: string };

export function foreclaim(options: ForeclaimOptions = {}): AiSdkTools {
  const hall = new Foreclaim(options, "AI SDK approval");
  const named = ({ toolCallId, abortSignal }: CallOptions) => ({ id: toolCallId, signal: abortSignal });
  const tools = toolList.map(({ name, description, schema }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: { [schemaMark]: true, _type: undefined, jsonSchema: schema },
      ...(name === "run" && {
        needsApproval: async (input, call) => (await hall.questionFor(input, named(call))) !== undefined,
      }),
      execute: (input, call) => hall.call(name, input, named(call)),
    },
  ]);
  return {
    // SAFETY: the list has every name once.
    tools: Object.fromEntries(tools) as AiSdkTools["tools"],
    toolApproval: {
      run: async (input, call) => {
        const question = await hall.questionFor(input, named(call));
        return question === undefined ? "not-applicable" : { type: "user-approval", reason: question.text };
      },
    },
    close: () => hall.close(),
  };
}
