/** The arguments and answers of the tools, as JSON Schema. */
import { fromJsonSchema } from "@modelcontextprotocol/server";
import type { ProveAnswer, RunAnswer } from "./answers.ts";
import type { FoundTools } from "./search.ts";

/** LIMIT: of texts that an agent may send. */
const mostProgram = 1_000_000;
const mostQuery = 2_000;

const text = (description: string, maxLength: number) => ({
  type: "string" as const,
  description,
  maxLength,
});
const texts = { type: "array" as const, items: { type: "string" as const } };
const objects = { type: "array" as const, items: { type: "object" as const } };
const verdict = { type: "string" as const, enum: ["proved", "refuted", "unknown", "invalid"] };

const program = text("the program, as the TypeScript file that lies in the project folder", mostProgram);
const inputs = { type: "object" as const, description: "the inputs of the program, by name" };

export interface ProgramInput {
  readonly program: string;
  readonly inputs?: Record<string, unknown>;
}

export const programInput = fromJsonSchema<ProgramInput>({
  type: "object",
  properties: { program, inputs },
  required: ["program"],
  additionalProperties: false,
});

export const searchInput = fromJsonSchema<{ readonly query: string; readonly namespace?: string }>({
  type: "object",
  properties: {
    query: text("what the program has to do, or the name of a tool; empty for all", mostQuery),
    namespace: text("only the tools of this module", 200),
  },
  required: ["query"],
  additionalProperties: false,
});

export const waitInput = fromJsonSchema<{ readonly request: string; readonly seconds?: number }>({
  type: "object",
  properties: {
    request: text("the `request` that `run` has answered", 100),
    seconds: { type: "number", description: "how long to wait, 25 if left out", minimum: 0, maximum: 600 },
  },
  required: ["request"],
  additionalProperties: false,
});

export const explainInput = fromJsonSchema<{ readonly code: string }>({
  type: "object",
  properties: { code: text("the code of an error, such as FC2101", 20) },
  required: ["code"],
  additionalProperties: false,
});

export const searchOutput = fromJsonSchema<FoundTools>({
  type: "object",
  properties: {
    tools: objects,
    contracts: objects,
    coverage: objects,
    imports: texts,
    omitted: { type: "integer" },
  },
  required: ["tools", "contracts", "coverage", "imports", "omitted"],
});

export const proveOutput = fromJsonSchema<ProveAnswer>({
  type: "object",
  properties: {
    verdict,
    guarantees: objects,
    obligations: objects,
    errors: objects,
    fixes: objects,
    coverage: objects,
    hash: { type: "string" },
    why: { type: "string" },
  },
  required: ["verdict", "guarantees", "errors", "fixes"],
});

export const runOutput = fromJsonSchema<RunAnswer>({
  type: "object",
  properties: {
    verdict,
    status: {
      type: "string",
      enum: ["done", "stopped", "in doubt", "not proved", "rejected", "pending", "running", "failed"],
    },
    result: { description: "the value that the program returned" },
    notes: texts,
    calls: {
      type: "array",
      items: {
        type: "object",
        properties: { tool: { type: "string" }, count: { type: "integer" } },
        required: ["tool", "count"],
      },
    },
    receipt: {
      anyOf: [
        {
          type: "object",
          properties: { id: { type: "string" }, decision: { type: "string" }, by: { type: "string" } },
          required: ["id", "decision", "by"],
        },
        { type: "null" },
      ],
    },
    request: { type: "string", description: "names the run for `wait`" },
    address: { type: "string", description: "the page on which a person decides" },
    reason: { type: "string" },
  },
  required: ["verdict", "status", "calls", "receipt"],
});

export const explainOutput = fromJsonSchema<{ readonly code: string; readonly text: string }>({
  type: "object",
  properties: { code: { type: "string" }, text: { type: "string" } },
  required: ["code", "text"],
});
