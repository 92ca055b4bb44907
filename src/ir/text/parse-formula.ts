/** Reads expressions over the trace and the state. Part of what must be trusted. */

import { type Aggregate, aggregates } from "../aggregates.ts";
import type {
  AggregateExpr,
  Expr,
  Moment,
  PerKeyExpr,
  QuantifierExpr,
  Relation,
  Selection,
  Source,
  Transition,
} from "../document.ts";
import type { Token } from "./lexer.ts";
import type { Mutable } from "./mutable.ts";
import { type Part, type Parts, part } from "./node-spans.ts";
import { readExpr } from "./parse-expr.ts";
import { isExactly, isName, type Reader } from "./reader.ts";

/** `now F[k]` and the like. */
export function readCell(reader: Reader, at: Moment): Expr {
  const word = reader.take();
  const { name: fluent, span } = reader.path(`the fluent after \`${at}\``);
  reader.expect("[", "before the key of the fluent", `write \`${at} F[key]\``);
  const key = reader.inside(readExpr);
  reader.expect("]", "after the key of the fluent");
  const parts = [part("at", word), part("fluent", span)];
  return reader.add({ kind: "cell", at, fluent, key }, word.start, parts);
}

/** `forall x in R where p: q` or `forall n = sum(x in R by k: e): q`, and the same with `exists`. */
export function readQuantifier(reader: Reader, quantifier: QuantifierExpr["quantifier"]): Expr {
  if (isExactly(reader.peek(2), "=")) return readPerKey(reader, quantifier);
  const word = reader.take();
  const over = readSelection(reader);
  reader.expect(":", `before what \`${quantifier}\` says`, `write \`${quantifier} x in R where p: q\``);
  const body = reader.inside(readExpr);
  const parts = part("quantifier", word);
  return reader.add({ kind: "quantifier", quantifier, over, body }, word.start, parts);
}

function readPerKey(reader: Reader, quantifier: PerKeyExpr["quantifier"]): Expr {
  const word = reader.take();
  const at = reader.token;
  const name = reader.name("the aggregate")?.text ?? "";
  reader.expect("=", "after the name of the aggregate");
  const fold = reader.token;
  const aggregate = readAggregateName(reader);
  reader.expect("(", `after \`${aggregate}\``);
  const over = readSelection(reader);
  reader.expect("by", "before the key", `write \`${quantifier} n = ${aggregate}(x in R by key: e): q\``);
  const key = reader.inside(readExpr);
  const value = reader.skip(":") ? reader.inside(readExpr) : undefined;
  reader.expect(")", `to close \`${aggregate}\``);
  reader.expect(":", `before what \`${quantifier}\` says of the aggregate`);
  const body = reader.inside(readExpr);
  const parts = [part("quantifier", word), part("name", at), part("aggregate", fold)];
  const expr: Mutable<PerKeyExpr> = { kind: "perKey", quantifier, name, aggregate, over, key, body };
  if (value !== undefined) expr.value = value;
  return reader.add(expr, word.start, parts);
}

function readAggregateName(reader: Reader): Aggregate {
  const aggregate = reader.token.kind === "word" ? aggregates.get(reader.token.text)?.name : undefined;
  if (aggregate === undefined) reader.failExpected("`count`, `sum`, `min` or `max`");
  else reader.take();
  return aggregate ?? "count";
}

/** `sum(x in R where p: e)` and the like, or `distinct(x in R: k)`, after the word. */
export function readFold(reader: Reader, word: Token): Expr {
  const { text, start } = word;
  reader.take();
  const over = readSelection(reader);
  const aggregate = aggregates.get(text)?.name;
  if (aggregate === undefined) {
    reader.expect(":", "before the key of `distinct`", "write `distinct(x in R: key)`");
    const key = reader.inside(readExpr);
    reader.expect(")", "to close `distinct`");
    return reader.add({ kind: "distinct", over, key }, start);
  }
  const expr: Mutable<AggregateExpr> = { kind: "aggregate", aggregate, over };
  if (reader.skip(":")) expr.value = reader.inside(readExpr);
  if (reader.skip("else")) expr.otherwise = reader.inside(readExpr);
  reader.expect(")", `to close \`${text}\``);
  return reader.add(expr, start, part("aggregate", word));
}

function readSelection(reader: Reader): Selection {
  const { start, end } = reader.token;
  const parts = part("var", { start, end });
  const name = reader.name("each row")?.text ?? "";
  reader.expect("in", "after the name for each row", "write `x in` and then a tool, a label, rows or cells");
  const relation = readRelation(reader);
  if (!reader.skip("where")) return reader.mark({ var: name, in: relation }, start, parts);
  const where = reader.inside(readExpr);
  return reader.mark({ var: name, in: relation, where }, start, parts);
}

function readRelation(reader: Reader): Relation {
  const { token } = reader;
  const { start, text } = token;
  if (token.kind === "word") {
    if (text === "label" && startsLabel(reader.peek())) return readLabel(reader);
    if (text === "initial" || text === "now" || text === "final") {
      reader.take();
      const { name: fluent, span } = reader.path(`the fluent after \`${text}\``);
      const parts = [part("at", token), part("fluent", span)];
      return reader.mark({ kind: "cells", at: text, fluent }, start, parts);
    }
    if (text === "rows" && isName(reader.peek())) {
      reader.take();
      const { name: tool, span } = reader.path("the tool after `rows`");
      return reader.mark({ kind: "rows", tool }, start, part("tool", span));
    }
  }
  const { name: tool, span } = reader.path("the tool whose calls are meant");
  return reader.mark({ kind: "calls", tool }, start, part("tool", span));
}

/** After `label`: a string, or a name that lacks its quotation marks. Otherwise `label` names a tool. */
function startsLabel(token: Token): boolean {
  return token.kind === "string" || (isName(token) && !isExactly(token, "by"));
}

/** `label "x"`, as a relation and as a source. */
function readLabel(reader: Reader): Relation & Source & { readonly kind: "label" } {
  const { start } = reader.take();
  const at = reader.token;
  const label = reader.string("the label")?.text ?? "";
  return reader.mark({ kind: "label", label }, start, part("label", at));
}

/** `always(…)` and the other forms that a `(` tells, after the word. */
export function readCallForm(reader: Reader, { text, start }: Token): Expr {
  reader.take();
  const { expr, parts } = readForm(reader, text);
  reader.expect(")", `to close \`${text}\``);
  return reader.add(expr, start, parts);
}

function readForm(reader: Reader, word: string): { expr: Expr; parts?: Parts } {
  const at = reader.token;
  switch (word) {
    case "always":
      return { expr: { kind: "always", body: reader.inside(readExpr) } };
    case "result": {
      const call = reader.name("the call")?.text ?? "";
      return { expr: { kind: "result", call }, parts: part("call", at) };
    }
    case "precedes": {
      const first = reader.name("the earlier call")?.text ?? "";
      reader.expect(",", "between the two calls", "write `precedes(a, b)`");
      const then = reader.token;
      const second = reader.name("the later call")?.text ?? "";
      const parts = [part("first", at), part("second", then)];
      return { expr: { kind: "precedes", first, second }, parts };
    }
    case "influenced": {
      const call = reader.name("the call")?.text ?? "";
      reader.expect(",", "after the call in `influenced`", "write `influenced(e, untrusted)`");
      return { expr: { kind: "influenced", call, from: readSource(reader) }, parts: part("call", at) };
    }
    case "mayRead": {
      const value = reader.inside(readExpr);
      reader.expect(",", "after the value in `mayRead`", "write `mayRead(e.body, e.to)`");
      return { expr: { kind: "mayRead", value, reader: reader.inside(readExpr) } };
    }
    case "automaton":
      return readAutomaton(reader);
    default: {
      const value = reader.inside(readExpr);
      reader.expect(",", "after the value in `flows`");
      return { expr: { kind: "flows", value, from: readSource(reader) } };
    }
  }
}

const automatonHelp = 'write `automaton(states "a", "b" start "a" on "a" x in T -> "b" error "b")`';

function readAutomaton(reader: Reader): { expr: Expr; parts: Parts } {
  reader.expect("states", "before the states of the automaton", automatonHelp);
  const states = readSomeStrings(reader, "a state");
  reader.expect("start", "before the state that it starts in", automatonHelp);
  const at = reader.token;
  const start = reader.string("the state it starts in")?.text ?? "";
  const on: Transition[] = [];
  while (reader.at("on")) on.push(readTransition(reader));
  reader.expect("error", "before the error states", automatonHelp);
  const error = readSomeStrings(reader, "an error state");
  return { expr: { kind: "automaton", states, start, on, error }, parts: part("start", at) };
}

function readTransition(reader: Reader): Transition {
  const { start } = reader.take();
  const before = reader.token;
  const from = reader.string("the state that it leads from")?.text ?? "";
  const over = readSelection(reader);
  reader.expect("->", "before the state that it leads to", automatonHelp);
  const after = reader.token;
  const to = reader.string("the state that it leads to")?.text ?? "";
  return reader.mark({ from, over, to }, start, [part("from", before), part("to", after)]);
}

function readSomeStrings(reader: Reader, what: string): readonly string[] {
  return reader.token.kind === "string" ? readStrings(reader, what) : reader.mark([], reader.token.start);
}

/** One string at least, with `,` between them. */
export function readStrings(reader: Reader, what: string): readonly string[] {
  const { start } = reader.token;
  const texts: string[] = [];
  const parts: Part[] = [];
  do {
    const text = reader.string(what);
    if (text === undefined) break;
    parts.push(part(texts.length, text));
    texts.push(text.text);
  } while (reader.skip(","));
  return reader.mark(texts, start, parts);
}

export function readSource(reader: Reader): Source {
  const { start } = reader.token;
  if (reader.at("label")) return readLabel(reader);
  if (reader.skip("untrusted")) return reader.mark({ kind: "untrusted" }, start);
  if (reader.skip("inputs")) return reader.mark({ kind: "input" }, start);
  if (reader.skip("tool")) {
    const { name: tool, span } = reader.path("the tool the data may come from");
    if (!reader.skip("field")) return reader.mark({ kind: "tool", tool }, start, part("tool", span));
    const at = reader.token;
    const field = reader.label("the field the data may come from")?.text ?? "";
    return reader.mark({ kind: "tool", tool, field }, start, [part("tool", span), part("field", at)]);
  }
  if (reader.skip("input")) {
    const at = reader.token;
    const input = reader.name("the input the data may come from")?.text ?? "";
    return reader.mark({ kind: "input", input }, start, part("input", at));
  }
  reader.failExpected(
    "`tool`, `label`, `input`, `inputs` or `untrusted`",
    'write `tool bank.read`, `label "private"`, `input x`, `inputs` or `untrusted`',
  );
  return { kind: "input", input: "" };
}
