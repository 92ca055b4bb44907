/**
 * Tools for the AI SDK (`ai` 6 and 7), by shape: nothing of it is imported.
 *
 * @example const { tools } = foreclaim({ folder: "." }); await generateText({ model, tools, prompt });
 */
import { misfit, type RunQuestion } from "../app/index.ts";
import { type AgentAnswer, Foreclaim, type ForeclaimOptions, toolList } from "./core.ts";

export type { Approval, Approve, ForeclaimOptions } from "./core.ts";

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

/** A Standard Schema with its JSON Schema, which every version of the SDK takes. */
export interface AiSdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "foreclaim";
    readonly validate: (
      value: unknown,
    ) => { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export interface AiSdkTools {
  readonly tools: { readonly [Name in (typeof toolList)[number]["name"]]: AiSdkTool };
  /** For `toolApproval` of version 7: asks a person where one has to decide, and shows them the guarantees. */
  readonly toolApproval: { readonly run: (input: unknown, options: CallOptions) => Promise<AiSdkStatus> };
  /** The question behind a request for approval (`toolCall.toolCallId`), to show to the person. */
  readonly questionFor: (toolCallId: string) => RunQuestion | undefined;
}

export type AiSdkStatus = "not-applicable" | { readonly type: "user-approval"; readonly reason: string };

export function foreclaim(options: ForeclaimOptions = {}): AiSdkTools {
  const hall = new Foreclaim(options, "AI SDK approval");
  const named = ({ toolCallId, abortSignal }: CallOptions) => ({ id: toolCallId, signal: abortSignal });
  const tools = toolList.map(({ name, description, schema }): [string, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: schemaOf(name, schema),
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
    questionFor: (toolCallId) => hall.asked(toolCallId),
  };
}

function schemaOf(name: (typeof toolList)[number]["name"], schema: object): AiSdkSchema {
  const json = () => ({ ...schema });
  const validate = (value: unknown) => {
    const message = misfit(name, value);
    return message === undefined ? { value } : { issues: [{ message: `FC9001: ${message}` }] };
  };
  return {
    "~standard": { version: 1, vendor: "foreclaim", validate, jsonSchema: { input: json, output: json } },
  };
}
