/**
 * The tools that Foreclaim itself has: a program's answer and its notes are calls of them, so everything that speaks of
 * calls speaks of what the program tells whoever asked for the run. A document that uses one declares it, exactly so.
 * Nobody handles their calls: they never fail and change nothing.
 * Part of what must be trusted.
 */
import type { Tool } from "./document.ts";
import type { TraceEntry } from "./eval/trace.ts";
import { json } from "./type.ts";
import type { Value } from "./value.ts";

/** The label of both: contracts over answers speak of notes as well. */
export const answerLabel = "foreclaim.answer";

export const answerTool: Tool = builtin("foreclaim.answer");
export const noteTool: Tool = builtin("foreclaim.note");

export const builtinTools: ReadonlyMap<string, Tool> = new Map(
  [answerTool, noteTool].map((tool) => [tool.name, tool]),
);

function builtin(name: string): Tool {
  return {
    name,
    params: [{ name: "value", type: json }],
    labels: [answerLabel],
    requires: [],
    ensures: [],
    sets: [],
    reads: true,
    stores: [],
  };
}

export function isBuiltin(name: string): boolean {
  return builtinTools.has(name);
}

/** Returns whether only Foreclaim gives out the name, of a tool or of a label. */
export function isReserved(name: string): boolean {
  return name.startsWith("foreclaim.");
}

/** Returns whether the tool is declared as Foreclaim has it, and not only named so. */
export function isDeclaredAsBuiltin(tool: Tool): boolean {
  const own = builtinTools.get(tool.name);
  if (own === undefined) return false;
  const { name, params, labels, requires, ensures, sets, reads, stores, ...others } = tool;
  const [param] = params;
  return (
    Object.values(others).every((one) => one === undefined) &&
    params.length === 1 &&
    param?.name === "value" &&
    param.type.kind === "json" &&
    param.optional === undefined &&
    labels.length === 1 &&
    labels[0] === answerLabel &&
    [requires, ensures, sets].every((clauses) => clauses.length === 0) &&
    reads === true &&
    stores?.length === 0
  );
}

/** The JSON value that the run answers with; undefined if it has no answer. */
export function answerIn(trace: readonly TraceEntry[]): Value | undefined {
  const said = trace.findLast(({ tool, outcome }) => tool === answerTool.name && outcome.kind === "returned");
  return said?.args.fields.value;
}

/** The notes of the run, in their order. */
export function notesIn(trace: readonly TraceEntry[]): readonly Value[] {
  return trace.flatMap(({ tool, args, outcome }) => {
    const text = args.fields.value;
    return tool === noteTool.name && outcome.kind === "returned" && text !== undefined ? [text] : [];
  });
}
