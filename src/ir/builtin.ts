/**
 * The tools that Foreclaim itself has. A program's answer and its notes are calls of two of them, so everything that speaks
 * of calls speaks of what the program tells the asker of the run. Readings of the clock and of chance are calls of two
 * others, so that a trace has what the run read and a replay reads the same; a pause is a call too. A document that uses one
 * declares it, exactly so. Their calls never fail and change nothing.
 * Part of what must be trusted.
 */
import type { Expr, Tool } from "./document.ts";
import type { TraceEntry } from "./eval/trace.ts";
import { type Field, int, json, real, type Type } from "./type.ts";
import type { Value } from "./value.ts";

/** The label of answers and notes: contracts over answers speak of notes as well. */
export const answerLabel = "foreclaim.answer";

const told = { params: [{ name: "value", type: json }], labels: [answerLabel] };

export const answerTool: Tool = builtin("foreclaim.answer", told);
export const noteTool: Tool = builtin("foreclaim.note", told);

/** The first and the last millisecond that a clock may say: of the years 2000 and 9999. */
export const firstReadingMs = 946_684_800_000n;
export const lastReadingMs = 253_402_300_799_999n;

/**
 * The time in milliseconds since 1970. A program gives an earlier reading, or the first possible one: time does not go
 * back within a run.
 */
export const clockTool: Tool = builtin("foreclaim.clock", {
  params: [{ name: "after", type: int }],
  result: int,
  ensures: [atMost(name("after"), name("result")), atMost(name("result"), number(lastReadingMs))],
});

/** A number from 0 on and below 1. */
export const randomTool: Tool = builtin("foreclaim.random", {
  result: real,
  ensures: [atMost(number(0n), name("result")), comparison("<", name("result"), number(1n))],
});

/** Lets time pass. */
export const pauseTool: Tool = builtin("foreclaim.pause", { params: [{ name: "ms", type: int }] });

/** LIMIT: for so long one pause may last; a run that would pause for longer is interrupted. */
export const longestPauseMs = 3_600_000n;

export const builtinTools: ReadonlyMap<string, Tool> = new Map(
  [answerTool, noteTool, clockTool, randomTool, pauseTool].map((tool) => [tool.name, tool]),
);

interface Declared {
  readonly params?: readonly Field[];
  readonly result?: Type;
  readonly labels?: readonly string[];
  readonly ensures?: readonly Expr[];
}

function builtin(named: string, { params = [], result, labels = [], ensures = [] }: Declared): Tool {
  return {
    name: named,
    params,
    ...(result !== undefined && { result }),
    labels,
    requires: [],
    ensures,
    sets: [],
    reads: true,
    stores: [],
  };
}

function name(of: string): Expr {
  return { kind: "var", name: of };
}

function number(value: bigint): Expr {
  return { kind: "number", value };
}

function comparison(op: "<" | "<=", a: Expr, b: Expr): Expr {
  return { kind: "op", op, args: [a, b] };
}

function atMost(a: Expr, b: Expr): Expr {
  return comparison("<=", a, b);
}

export function isBuiltin(tool: string): boolean {
  return builtinTools.has(tool);
}

/** Returns true if its calls tell something to the asker of the run. */
export function isTold(tool: string): boolean {
  return tool === answerTool.name || tool === noteTool.name;
}

/** Returns whether its calls read something that differs from run to run. */
export function isReading(tool: string): boolean {
  return tool === clockTool.name || tool === randomTool.name;
}

/** Returns whether only Foreclaim gives out the name, of a tool or of a label. */
export function isReserved(of: string): boolean {
  return of.startsWith("foreclaim.");
}

/** Returns whether the tool is declared as Foreclaim has it, and not only named so. */
export function isDeclaredAsBuiltin(tool: Tool): boolean {
  const own = builtinTools.get(tool.name);
  return own !== undefined && isSame(tool, own);
}

/** Returns whether both are the same plain data; a field that is undefined is none. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...fields].every((field) => isSame(Reflect.get(a, field), Reflect.get(b, field)));
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
