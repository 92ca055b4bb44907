/**
 * Documents to text: the inverse of `parser.ts`. `parse(print(d))` is `d` for every document, also for one that
 * does not pass the checker, and equal documents have equal text. Part of what must be trusted.
 */
import type { Document, Fluent, Guarantee, Program, Tool, Update } from "../document.ts";
import { byPlace, writeCommands } from "./print-command.ts";
import { printExpr, writeExpr, writeExprs } from "./print-expr.ts";
import { printSource } from "./print-formula.ts";
import { printName, printString } from "./print-name.ts";
import { writeFields, writeType } from "./print-type.ts";
import { flags } from "./syntax.ts";

export { printCommand } from "./print-command.ts";
export { printExpr } from "./print-expr.ts";
export { printSource } from "./print-formula.ts";
export { printName } from "./print-name.ts";
export { printType } from "./print-type.ts";
export { printFields, printValue } from "./print-value.ts";

/** Beyond this, the formula of a guarantee goes on a line of its own. */
const lineWidth = 100;

export function printDocument(document: Document): string {
  const { modules, fluents, tools, program, guarantees } = document;
  const out = ["effect-ir 1\n"];
  if (modules !== undefined) out.push("modules ", printString(modules), "\n");
  if (fluents.length > 0) out.push("\n");
  for (const fluent of fluents) writeFluent(out, fluent);
  if (tools.length > 0) out.push("\n");
  for (const tool of tools) writeTool(out, tool);
  out.push("\n");
  writeProgram(out, program);
  if (guarantees.length > 0) out.push("\n");
  for (const guarantee of guarantees) writeGuarantee(out, guarantee);
  return out.join("");
}

function writeFluent(out: string[], { name, key, value, initial }: Fluent): void {
  out.push("fluent ", printName(name), "[");
  writeType(out, key);
  out.push("]: ");
  writeType(out, value);
  out.push(" = ");
  if (initial === undefined) out.push("unknown");
  else writeExpr(out, initial);
  out.push("\n");
}

/** A declaration of a tool on one line. */
export function printTool(tool: Tool): string {
  const out: string[] = [];
  writeTool(out, tool);
  return out.join("").trim().replaceAll(/\n\s*/g, " ");
}

function writeTool(out: string[], tool: Tool): void {
  out.push("tool ", printName(tool.name), "(");
  writeFields(out, tool.params);
  out.push(")");
  if (tool.result !== undefined) {
    out.push(" -> ");
    writeType(out, tool.result);
  }
  out.push("\n");
  if (tool.labels.length > 0) out.push("  labels ", tool.labels.map(printString).join(", "), "\n");
  for (const flag of flags) if (tool[flag]) out.push("  ", flag, "\n");
  for (const expr of tool.requires) out.push("  requires ", printExpr(expr), "\n");
  for (const expr of tool.ensures) out.push("  ensures ", printExpr(expr), "\n");
  for (const update of tool.sets) writeUpdate(out, update);
  if (tool.cost !== undefined) out.push("  cost ", printExpr(tool.cost), "\n");
  if (tool.stores !== undefined) out.push("  stores ", listOrNone(tool.stores.map(printString)), "\n");
  if (tool.endorses !== undefined) out.push("  endorses ", listOrNone(tool.endorses.map(printSource)), "\n");
  if (tool.readers !== undefined) out.push("  readers ", printExpr(tool.readers), "\n");
}

function listOrNone(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.join(", ");
}

function writeUpdate(out: string[], { fluent, key, value, when }: Update): void {
  out.push("  sets ", printName(fluent), "[");
  writeExpr(out, key);
  out.push("] = ");
  writeExpr(out, value);
  if (when !== undefined) {
    out.push(" when ");
    writeExpr(out, when);
  }
  out.push("\n");
}

function writeProgram(out: string[], { inputs, body }: Program): void {
  out.push("program (");
  writeFields(out, inputs);
  out.push(") {");
  writeCommands(out, body, "  ", byPlace());
  out.push(body.length > 0 ? "\n}\n" : "}\n");
}

function writeGuarantee(out: string[], { name, args, formula }: Guarantee): void {
  const head = [`guarantee ${printName(name)}(`];
  writeExprs(head, args);
  head.push(formula === undefined ? ")" : "):");
  const line = head.join("");
  out.push(line);
  if (formula !== undefined) {
    const text = printExpr(formula);
    out.push(line.length + 1 + text.length > lineWidth ? "\n  " : " ", text);
  }
  out.push("\n");
}
