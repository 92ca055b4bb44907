/** Checks provenance: sources, carriers of their data, and readers. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import type { Expr, MayReadExpr, Source, Tool } from "../document.ts";
import { printType } from "../text/printer.ts";
import { bool, fieldOf, isSubtype, listOf, type RecordType, string, type Type } from "../type.ts";
import type { Context } from "./context.ts";
import { infer, type Place } from "./expr.ts";

/** Reports a problem unless the source is one of the document. */
export function isSource(context: Context, source: Source, trail: Trail): boolean {
  switch (source.kind) {
    case "tool": {
      const tool = context.tool(source.tool, trail.at("tool"));
      if (tool === undefined || source.field === undefined) return tool !== undefined;
      return hasField(context, tool, source.field, trail.at("field"));
    }
    case "label":
      return context.label(source.label, trail.at("label")) !== undefined;
    case "input":
      if (source.input === undefined || context.inputs.has(source.input)) return true;
      context.unknown("FC1219", "input", source.input, context.inputs, trail.at("input"));
      return false;
    case "untrusted":
      return true;
  }
}

function hasField(context: Context, tool: Tool, name: string, trail: Trail): boolean {
  const record = recordIn(tool.result);
  if (record === undefined) {
    const returns = tool.result === undefined ? "nothing" : `\`${printType(tool.result)}\``;
    context.problem(
      "FC1217",
      trail,
      `what \`${tool.name}\` returns has no fields, since it is ${returns}`,
      "omit `field` to name the whole result",
    );
    return false;
  }
  if (fieldOf(record, name) !== undefined) return true;
  const known = record.fields.map((field) => field.name);
  context.unknown("FC1217", "field", name, known, trail);
  return false;
}

/** The record that a tool returns, or a list of. */
function recordIn(result: Type | undefined): RecordType | undefined {
  const held = result?.kind === "list" ? result.element : result;
  return held?.kind === "record" ? held : undefined;
}

/**
 * Checks the sources that a tool's result no longer carries. A tool is declared for all documents: it cannot know the
 * inputs of a program, and nothing carries a source that a document lacks.
 */
export function checkEndorses(
  context: Context,
  { name, result, endorses: sources }: Tool,
  trail: Trail,
): void {
  if (sources === undefined) return;
  if (result === undefined && sources.length > 0) {
    const message = `\`${name}\` returns nothing, so there is nothing to endorse`;
    context.problem("FC1307", trail, message);
  }
  const seen = new Set<string>();
  sources.forEach((source, i) => {
    const at = trail.at(i);
    if (source.kind === "input" && source.input !== undefined) {
      const message = "a tool does not know the inputs of a program by name";
      context.problem("FC1219", at.at("input"), message, "write `inputs`");
    } else if (source.kind === "tool") {
      const tool = context.tools.get(source.tool);
      if (tool !== undefined && source.field !== undefined)
        hasField(context, tool, source.field, at.at("field"));
    }
    const key = JSON.stringify(source);
    if (seen.has(key)) context.problem("FC1221", at, "this source is given twice");
    seen.add(key);
  });
}

export function checkStores(context: Context, { stores }: Tool, trail: Trail): void {
  const seen = new Set<string>();
  stores?.forEach((store, i) => {
    context.name(store, trail.at(i));
    if (seen.has(store)) context.problem("FC1221", trail.at(i), `the store \`${store}\` is given twice`);
    seen.add(store);
  });
}

/** `place` has the parameters of the tool, and `result` or `row`. */
export function checkReaders(place: Place, readers: Expr, trail: Trail): void {
  const type = infer(place, readers, trail);
  if (type === undefined || isSubtype(type, listOf(string))) return;
  const message = `the readers must be \`list<string>\` and are \`${printType(type)}\``;
  place.context.problem("FC1301", trail, message);
}

/** The type of a value that may carry data: it is made of calls, not of what is said about the whole trace. */
export function carried(place: Place, value: Expr, trail: Trail): Type | undefined {
  const type = infer(place, value, trail);
  // Only what has a type is known to be small enough to be looked through.
  if (type === undefined || !looksBeyond(value, "results")) return type;
  place.context.problem(
    "FC1320",
    trail,
    "the provenance of this expression is not defined, because it reads the whole trace or a fluent",
    "use the arguments and the result of a call",
  );
  return undefined;
}

export function inferMayRead(place: Place, expr: MayReadExpr, trail: Trail): Type | undefined {
  const value = carried(place, expr.value, trail.at("value"));
  const reader = carried(place, expr.reader, trail.at("reader"));
  if (value === undefined || reader === undefined) return undefined;
  if (isSubtype(reader, string) || isSubtype(reader, listOf(string))) return bool;
  place.context.problem(
    "FC1301",
    trail.at("reader"),
    `a reader must be \`string\` or \`list<string>\` and is \`${printType(reader)}\``,
    reader.kind === "option" ? "take its value with `value(…)` or `orElse(…)`" : undefined,
  );
  return undefined;
}

const ofOneCall: ReadonlySet<unknown> = new Set([
  "bool",
  "number",
  "string",
  "none",
  "var",
  "op",
  "lambda",
  "list",
  "record",
  "field",
  "let",
]);

/** Returns true if the expression reads more than names, and perhaps results. */
export function looksBeyond(expr: Expr, but: "results" | "names"): boolean {
  const waiting: Expr[] = [expr];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!ofOneCall.has(node.kind) && !(node.kind === "result" && but === "results")) return true;
    for (const part of partsOf(node)) waiting.push(part);
  }
  return false;
}

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "op":
      return expr.args;
    case "lambda":
      return [expr.body];
    case "list":
      return expr.items;
    case "record":
      return expr.fields.map(({ value }) => value);
    case "field":
      return [expr.of];
    case "let":
      return [expr.value, expr.body];
    default:
      return [];
  }
}
