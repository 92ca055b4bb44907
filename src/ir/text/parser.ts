/**
 * Text to documents. `grammar.ebnf` is the definition and `printer.ts` the inverse. Reports as many problems as it
 * can tell apart in one go, takes time linear in the text, and never throws, whatever the text.
 * Part of what must be trusted.
 */
import { failed, ok, type Result } from "../diagnostic.ts";
import type { Document, Expr } from "../document.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { type Locator, locator, type SpanTable } from "../spans.ts";
import { readDocument } from "./parse-document.ts";
import { readExpr } from "./parse-expr.ts";
import { Reader } from "./reader.ts";

export interface ParsedText {
  readonly document: Document;
  readonly locate: Locator;
}

/** Reads a whole document. Whether it makes sense is for the checker to say. */
export function parseDocument(text: string, limits: Limits = defaultLimits): Result<ParsedText> {
  const read = readText(text, limits, readDocument);
  if (!read.ok) return read;
  return ok({ document: read.value, locate: locator(() => spansOf(text, limits, readDocument)) });
}

/** Reads a lone expression. */
export function parseExpr(
  text: string,
  limits: Limits = defaultLimits,
): Result<{ readonly expr: Expr; readonly locate: Locator }> {
  const read = readText(text, limits, readLoneExpr);
  if (!read.ok) return read;
  return ok({ expr: read.value, locate: locator(() => spansOf(text, limits, readLoneExpr)) });
}

/** The same data again, with the span of each of its parts. */
export function spansOf<T>(
  text: string,
  limits: Limits,
  parse: (reader: Reader) => T,
): { root: T; spans: SpanTable } {
  const spans: SpanTable = new Map();
  return { root: parse(new Reader(text, limits, spans)), spans };
}

function readLoneExpr(reader: Reader): Expr {
  const expr = readExpr(reader);
  if (reader.token.kind !== "end") reader.failExpected("the end of the expression");
  return expr;
}

function readText<T>(text: string, limits: Limits, parse: (reader: Reader) => T): Result<T> {
  const { textLength } = limits;
  if (text.length > textLength) {
    const message = `the text is ${text.length} code units long, at most ${textLength} are read`;
    return failed([{ code: "FC1401", message, path: [], span: { start: 0, end: text.length } }]);
  }
  const reader = new Reader(text, limits);
  const value = parse(reader);
  const problems = reader.problems();
  return problems.length > 0 ? failed(problems) : ok(value);
}
