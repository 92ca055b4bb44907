/** Expressions over the trace and the state to text. Part of what must be trusted. */
import type { AutomatonExpr, CellExpr, Relation, Selection, Source, TraceExpr } from "../document.ts";
import { writeExpr } from "./print-expr.ts";
import { printIdentifier, printLabel, printName, printString } from "./print-name.ts";

export function writeFormula(out: string[], expr: TraceExpr | CellExpr): void {
  switch (expr.kind) {
    case "cell":
      out.push(expr.at, " ", printName(expr.fluent), "[");
      writeExpr(out, expr.key);
      out.push("]");
      return;
    case "quantifier":
      out.push(expr.quantifier, " ");
      writeSelection(out, expr.over);
      out.push(": ");
      writeExpr(out, expr.body);
      return;
    case "perKey":
      out.push(expr.quantifier, " ", printIdentifier(expr.name), " = ", expr.aggregate, "(");
      writeSelection(out, expr.over);
      out.push(" by ");
      writeExpr(out, expr.key);
      if (expr.value !== undefined) {
        out.push(": ");
        writeExpr(out, expr.value);
      }
      out.push("): ");
      writeExpr(out, expr.body);
      return;
    case "aggregate":
      out.push(expr.aggregate, "(");
      writeSelection(out, expr.over);
      if (expr.value !== undefined) {
        out.push(": ");
        writeExpr(out, expr.value);
      }
      if (expr.otherwise !== undefined) {
        out.push(" else ");
        writeExpr(out, expr.otherwise);
      }
      out.push(")");
      return;
    case "distinct":
      out.push("distinct(");
      writeSelection(out, expr.over);
      out.push(": ");
      writeExpr(out, expr.key);
      out.push(")");
      return;
    case "always":
      out.push("always(");
      writeExpr(out, expr.body);
      out.push(")");
      return;
    case "precedes":
      out.push("precedes(", printIdentifier(expr.first), ", ", printIdentifier(expr.second), ")");
      return;
    case "result":
      out.push("result(", printIdentifier(expr.call), ")");
      return;
    case "flows":
      out.push("flows(");
      writeExpr(out, expr.value);
      out.push(", ", printSource(expr.from), ")");
      return;
    case "influenced":
      out.push("influenced(", printIdentifier(expr.call), ", ", printSource(expr.from), ")");
      return;
    case "mayRead":
      out.push("mayRead(");
      writeExpr(out, expr.value);
      out.push(", ");
      writeExpr(out, expr.reader);
      out.push(")");
      return;
    case "automaton":
      writeAutomaton(out, expr);
      return;
  }
}

function writeAutomaton(out: string[], { states, start, on, error }: AutomatonExpr): void {
  const strings = (texts: readonly string[]) =>
    texts.map((text, i) => (i > 0 ? ", " : " ") + printString(text));
  out.push("automaton(states", ...strings(states), " start ", printString(start));
  for (const { from, over, to } of on) {
    out.push(" on ", printString(from), " ");
    writeSelection(out, over);
    out.push(" -> ", printString(to));
  }
  out.push(" error", ...strings(error), ")");
}

function writeSelection(out: string[], { var: name, in: relation, where }: Selection): void {
  out.push(printIdentifier(name), " in ", printRelation(relation));
  if (where === undefined) return;
  out.push(" where ");
  writeExpr(out, where);
}

function printRelation(relation: Relation): string {
  switch (relation.kind) {
    case "calls":
      // The bare word would be read as the start of `rows tool`.
      return relation.tool === "rows" ? "`rows`" : printName(relation.tool);
    case "label":
      return `label ${printString(relation.label)}`;
    case "rows":
      return `rows ${printName(relation.tool)}`;
    case "cells":
      return `${relation.at} ${printName(relation.fluent)}`;
  }
}

export function printSource(source: Source): string {
  switch (source.kind) {
    case "tool": {
      const field = source.field === undefined ? "" : ` field ${printLabel(source.field)}`;
      return `tool ${printName(source.tool)}${field}`;
    }
    case "label":
      return `label ${printString(source.label)}`;
    case "input":
      return source.input === undefined ? "inputs" : `input ${printIdentifier(source.input)}`;
    case "untrusted":
      return "untrusted";
  }
}
