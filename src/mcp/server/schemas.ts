/** The arguments and answers of the tools, as the protocol takes them. */
import { fromJsonSchema } from "@modelcontextprotocol/server";
import {
  agentTools,
  type FoundTools,
  type ProgramInput,
  type ProveAnswer,
  type RunAnswer,
  type SearchInput,
  type WaitInput,
} from "../../app/index.ts";

const { search_tools, prove, run, wait } = agentTools;

export const programInput = fromJsonSchema<ProgramInput>(run.input);
export const searchInput = fromJsonSchema<SearchInput>(search_tools.input);
export const waitInput = fromJsonSchema<WaitInput>(wait.input);

export const explainInput = fromJsonSchema<{ readonly code: string }>({
  type: "object",
  properties: {
    code: { type: "string", description: "the code of an error, such as FC2101", maxLength: 20 },
  },
  required: ["code"],
  additionalProperties: false,
});

export const searchOutput = fromJsonSchema<FoundTools>(search_tools.output);
export const proveOutput = fromJsonSchema<ProveAnswer>(prove.output);
export const runOutput = fromJsonSchema<RunAnswer>(run.output);

export const explainOutput = fromJsonSchema<{ readonly code: string; readonly text: string }>({
  type: "object",
  properties: { code: { type: "string" }, text: { type: "string" } },
  required: ["code", "text"],
});
