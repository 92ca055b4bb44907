/** The tools that an agent sees: names, words, and the JSON Schemas of their arguments and answers. */

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

export interface SearchInput {
  readonly query: string;
  readonly namespace?: string;
}

export interface WaitInput {
  readonly request: string;
  readonly seconds?: number;
}

const programSchema = {
  type: "object" as const,
  properties: { program, inputs },
  required: ["program"],
  additionalProperties: false,
};

export const agentTools = {
  search_tools: {
    title: "Find tools and contracts",
    description:
      "Find the tools that a program may call and the contracts that it may guarantee, with signatures and conditions.",
    input: {
      type: "object" as const,
      properties: {
        query: text("what the program has to do, or the name of a tool; empty for all", mostQuery),
        namespace: text("only the tools of this module", 200),
      },
      required: ["query"],
      additionalProperties: false,
    },
    output: {
      type: "object" as const,
      properties: {
        tools: objects,
        contracts: objects,
        coverage: objects,
        imports: texts,
        omitted: { type: "integer" as const },
      },
      required: ["tools", "contracts", "coverage", "imports", "omitted"],
    },
  },
  prove: {
    title: "Prove a program",
    description:
      "Prove each guarantee of a program for every input and every tool result, or show a counterexample. Nothing of the program is run.",
    input: programSchema,
    output: {
      type: "object" as const,
      properties: {
        verdict,
        guarantees: objects,
        obligations: objects,
        errors: objects,
        fixes: objects,
        coverage: objects,
        hash: { type: "string" as const },
        why: { type: "string" as const },
      },
      required: ["verdict", "guarantees", "errors", "fixes"],
    },
  },
  run: {
    title: "Run a program",
    description:
      "Prove a program, have it approved by the policy or by a person, and run exactly what was proved. If a person has to decide, the answer is `pending` with an address; then call `wait`.",
    input: programSchema,
    output: runSchema(),
  },
  wait: {
    title: "Wait for a run",
    description: "Wait for a run that is pending or running, and get its status or its result.",
    input: {
      type: "object" as const,
      properties: {
        request: text("the `request` that `run` has answered", 100),
        seconds: {
          type: "number" as const,
          description: "how long to wait, 25 by default",
          minimum: 0,
          maximum: 600,
        },
      },
      required: ["request"],
      additionalProperties: false,
    },
    output: runSchema(),
  },
};

export type AgentToolName = keyof typeof agentTools;

function runSchema() {
  return {
    type: "object" as const,
    properties: {
      verdict,
      status: {
        type: "string" as const,
        enum: ["done", "stopped", "in doubt", "not proved", "rejected", "pending", "running", "failed"],
      },
      result: { description: "the value that the program returned" },
      notes: texts,
      calls: {
        type: "array" as const,
        items: {
          type: "object" as const,
          properties: { tool: { type: "string" as const }, count: { type: "integer" as const } },
          required: ["tool", "count"],
        },
      },
      receipt: {
        anyOf: [
          {
            type: "object" as const,
            properties: {
              id: { type: "string" as const },
              decision: { type: "string" as const },
              by: { type: "string" as const },
            },
            required: ["id", "decision", "by"],
          },
          { type: "null" as const },
        ],
      },
      request: { type: "string" as const, description: "names the run for `wait`" },
      address: { type: "string" as const, description: "the page on which a person decides" },
      reason: { type: "string" as const },
    },
    required: ["verdict", "status", "calls", "receipt"],
  };
}

/** The same limits for callers that do not validate JSON Schema: undefined if the arguments are fine, or what is wrong with them. */
export function misfit(name: AgentToolName, args: unknown): string | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return "the arguments are no object";
  const { properties, required }: Schema = agentTools[name].input;
  const unknown = Object.keys(args).find((key) => !Object.hasOwn(properties, key));
  if (unknown !== undefined) return `there is no argument \`${unknown}\``;
  for (const [key, schema] of Object.entries(properties)) {
    const value: unknown = Reflect.get(args, key);
    if (value === undefined || value === null) {
      if (required.includes(key)) return `the argument \`${key}\` is missing`;
      continue;
    }
    const isOf =
      schema.type === "object"
        ? typeof value === "object" && !Array.isArray(value)
        : typeof value === schema.type;
    if (!isOf) return `the argument \`${key}\` must be of type ${schema.type}`;
    if (typeof value === "string" && value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
      return `the argument \`${key}\` has more than ${schema.maxLength} characters`;
    if (typeof value === "number" && !(value >= (schema.minimum ?? 0) && value <= (schema.maximum ?? 0)))
      return `the argument \`${key}\` must be from ${schema.minimum} to ${schema.maximum}`;
  }
  return undefined;
}

interface Schema {
  readonly properties: Readonly<
    Record<
      string,
      {
        readonly type: "string" | "number" | "object";
        readonly maxLength?: number;
        readonly minimum?: number;
        readonly maximum?: number;
      }
    >
  >;
  readonly required: readonly string[];
}
