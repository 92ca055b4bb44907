/**
 * Text to documents. `grammar.ebnf` is the definition and `printer.ts` the inverse. Reports as many problems as it
 * can tell apart in one go, takes time linear in the text, and never throws, whatever the text.
 * Part of what must be trusted.
 */
import { failed, ok, type Result } from "../diagnostic.ts";
import type { Document, Expr } from "../document.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import type { SpanTable } from "../spans.ts";
import { readDocument } from "./parse-document.ts";
import { readExpr } from "./parse-expr.ts";
import { Reader } from "./reader.ts";

export interface ParsedText {
  readonly document: Document;
  readonly spans: SpanTable;
}

/** Reads a whole document. Whether it makes sense is for the checker to say. */
export function parseDocument(text: string, limits: Limits = defaultLimits): Result<ParsedText> {
  return read(text, limits, (reader) => ({ document: readDocument(reader), spans: reader.spans }));
}

/** Reads a lone expression. */
export function parseExpr(
  text: string,
  limits: Limits = defaultLimits,
): Result<{ readonly expr: Expr; readonly spans: SpanTable }> {
  return read(text, limits, (reader) => {
    const expr = readExpr(reader);
    if (reader.token.kind !== "end") reader.failExpected("the end of the expression");
    return { expr, spans: reader.spans };
  });
}

function read<T>(text: string, limits: Limits, parse: (reader: Reader) => T): Result<T> {
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
