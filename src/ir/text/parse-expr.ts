/** Reads expressions; those over the trace are in `parse-formula.ts`. Part of what must be trusted. */

import { aggregates } from "../aggregates.ts";
import type { Argument, Expr, LambdaParam } from "../document.ts";
import { negate } from "../number.ts";
import type { Token } from "./lexer.ts";
import { part } from "./node-spans.ts";
import { readCallForm, readCell, readFold, readQuantifier } from "./parse-formula.ts";
import { readNumber, readRatio } from "./parse-number.ts";
import { readType } from "./parse-type.ts";
import { hintForName, isExactly, isName, type Reader } from "./reader.ts";
import { callForms, conditional, type Infix, infixes, type Prefix, prefixes } from "./syntax.ts";

/** A whole expression: it ends where the next token cannot continue it. */
export function readExpr(reader: Reader): Expr {
  return startsLambda(reader) ? readLambda(reader) : readOperation(reader, 0);
}

/** Expressions up to the closing sign, which is left. */
export function readExprs(reader: Reader, close: string): readonly Expr[] {
  const exprs: Expr[] = [];
  while (!reader.lost && !reader.at(close)) {
    exprs.push(reader.inside(readExpr));
    if (!reader.skip(",")) break;
  }
  return exprs;
}

/** Named values up to the closing sign, which is left. */
export function readArguments(reader: Reader, close: string, what: string): readonly Argument[] {
  const args: Argument[] = [];
  while (!reader.lost && !reader.at(close)) {
    args.push(readArgument(reader, what));
    if (!reader.skip(",")) break;
  }
  return args;
}

function readArgument(reader: Reader, what: string): Argument {
  const { start } = reader.token;
  const name = reader.fieldName(what)?.text ?? "";
  const named = part("name", { start, end: reader.end });
  const mark = reader.token;
  const optional = reader.skip("?");
  reader.expect(":", `after the name of ${what}`, `write ${what} as \`name: value\``);
  const value = reader.inside(readExpr);
  if (!optional) return reader.add({ name, value }, start, named);
  return reader.add({ name, value, optional }, start, [named, part("optional", mark)]);
}

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

/** Operands and operators that bind at least as tightly as `least`. */
function readOperation(reader: Reader, least: number): Expr {
  const outside = reader.deepest;
  reader.deepest = 0;
  if (!reader.mayDescend()) return nothing();
  const { start } = reader.token;
  let left = readOperand(reader);
  for (;;) {
    const infix = infixAt(reader.token);
    if (infix === undefined || infix.precedence < least) break;
    reader.wrap();
    left = readInfix(reader, infix, left, start);
  }
  reader.deepest = Math.max(outside, reader.deepest);
  return left;
}

function infixAt({ kind, text }: Token): Infix | undefined {
  return kind === "sign" || kind === "word" ? infixes.get(text) : undefined;
}

function readInfix(reader: Reader, infix: Infix, left: Expr, start: number): Expr {
  const { name, symbol, precedence, group } = infix;
  const args = [left];
  const op = reader.token;
  reader.depth++;
  do {
    reader.take();
    args.push(readOperation(reader, group === "right" ? precedence : precedence + 1));
  } while (group === "chain" && reader.at(symbol));
  reader.depth--;
  if (group === "none" && infixAt(reader.token)?.precedence === precedence) {
    const again = reader.token;
    const help = `write \`a ${symbol} b and b ${again.text} c\``;
    const message = `comparisons cannot be chained, found \`${again.text}\` after \`${symbol}\``;
    reader.report("FC1007", again.start, again.end, message, help);
  }
  return reader.add({ kind: "op", op: name, args }, start, part("op", op));
}

function readOperand(reader: Reader): Expr {
  const { kind, text } = reader.token;
  if (kind !== "sign" && kind !== "word") return readPostfix(reader);
  const prefix = prefixes.get(text);
  if (prefix !== undefined) return readPrefix(reader, prefix);
  if (kind === "word") {
    if (text === "if") return readIf(reader);
    if (text === "let") return readLet(reader);
    if (text === "forall" || text === "exists") return readQuantifier(reader, text);
  }
  return readPostfix(reader);
}

function readPrefix(reader: Reader, { name, symbol, precedence }: Prefix): Expr {
  const sign = reader.take();
  const parts = part("op", sign);
  if (symbol === "-" && startsNumber(reader)) {
    // The number is not inside a node, unless it turns out to be only the start of the operand.
    const operand = readOperation(reader, precedence);
    if (operand.kind === "number") {
      reader.discard(operand);
      return reader.add({ kind: "number", value: negate(operand.value) }, sign.start);
    }
    reader.wrap();
    return reader.add({ kind: "op", op: name, args: [operand] }, sign.start, parts);
  }
  reader.depth++;
  const operand = readOperation(reader, precedence);
  reader.depth--;
  return reader.add({ kind: "op", op: name, args: [operand] }, sign.start, parts);
}

function startsNumber(reader: Reader): boolean {
  return reader.token.kind === "number" || (reader.at("ratio") && isExactly(reader.peek(), "("));
}

// ── forms that go on to the right ────────────────────────────────────────────────────────────────────────

function readIf(reader: Reader): Expr {
  const word = reader.take();
  const condition = reader.inside(readExpr);
  reader.expect("then", "after the condition of `if`", "write `if c then a else b`");
  const yes = reader.inside(readExpr);
  reader.expect("else", "after the `then` part", "every `if` has both: `if c then a else b`");
  const no = reader.inside(readExpr);
  const args = [condition, yes, no];
  return reader.add({ kind: "op", op: conditional, args }, word.start, part("op", word));
}

function readLet(reader: Reader): Expr {
  const { start } = reader.take();
  const at = reader.token;
  const name = reader.name("the value of `let`")?.text ?? "";
  reader.expect("=", "after the name in `let`");
  const value = reader.inside(readExpr);
  reader.expect("in", "after the value of `let`", "inside an expression, write `let x = e in body`");
  const body = reader.inside(readExpr);
  return reader.add({ kind: "let", name, value, body }, start, part("name", at));
}

/** Returns true at the start of a function. No expression starts with `()`, `(name,` or `(name:`. */
function startsLambda(reader: Reader): boolean {
  if (isName(reader.token)) return isExactly(reader.peek(), "=>");
  if (!reader.at("(")) return false;
  if (isExactly(reader.peek(), ")")) return true;
  if (!isName(reader.peek())) return false;
  const after = reader.peek(2);
  if (isExactly(after, ",") || isExactly(after, ":")) return true;
  return isExactly(after, ")") && isExactly(reader.peek(3), "=>");
}

function readLambda(reader: Reader): Expr {
  const { start } = reader.token;
  if (!reader.mayDescend()) return nothing();
  const params: LambdaParam[] = [];
  if (reader.skip("(")) {
    while (!reader.lost && !reader.at(")")) {
      params.push(readParam(reader));
      if (!reader.skip(",")) break;
    }
    reader.expect(")", "to close the parameters of the function");
  } else params.push(readParam(reader));
  reader.expect("=>", "after the parameters of the function", "a function is written `(a, b) => e`");
  const body = reader.inside(readExpr);
  return reader.add({ kind: "lambda", params, body }, start);
}

function readParam(reader: Reader): LambdaParam {
  const { start, end } = reader.token;
  const name = reader.name("a parameter")?.text ?? "";
  const parts = part("name", { start, end });
  if (!reader.skip(":")) return reader.add({ name }, start, parts);
  const type = reader.inside(readType);
  return reader.add({ name, type }, start, parts);
}

// ── forms that hold together ─────────────────────────────────────────────────────────────────────────────

function readPostfix(reader: Reader): Expr {
  const { start } = reader.token;
  let of = readPrimary(reader);
  while (reader.skip(".")) {
    reader.wrap();
    const at = reader.token;
    const name = reader.label("the field after `.`")?.text ?? "";
    of = reader.add({ kind: "field", of, name }, start, part("name", at));
  }
  return of;
}

function readPrimary(reader: Reader): Expr {
  const { token } = reader;
  const { start } = token;
  switch (token.kind) {
    case "number":
      reader.take();
      return reader.add({ kind: "number", value: readNumber(reader, token) }, start);
    case "string":
      reader.take();
      return reader.add({ kind: "string", value: token.text }, start);
    case "word":
      if (isName(token)) return readNamed(reader);
      return readWord(reader);
    case "quoted":
      return readNamed(reader);
    case "sign":
      return readBracketed(reader);
    case "bad":
    case "end":
      return readNothing(reader);
  }
}

function readWord(reader: Reader): Expr {
  const { text, start } = reader.token;
  switch (text) {
    case "true":
    case "false":
      reader.take();
      return reader.add({ kind: "bool", value: text === "true" }, start);
    case "none":
      reader.take();
      return reader.add({ kind: "none" }, start);
    case "initial":
    case "now":
    case "final":
      return readCell(reader, text);
    default:
      return readNothing(reader);
  }
}

/** A variable, an operator by its name, or a form that starts like one. */
function readNamed(reader: Reader): Expr {
  const word = reader.take();
  const { text, start } = word;
  if (!reader.at("(")) return reader.add({ kind: "var", name: text }, start);
  if (word.kind === "word") {
    if (text === "ratio") return reader.add({ kind: "number", value: readRatio(reader, start) }, start);
    if (callForms.has(text)) return readCallForm(reader, word);
    const isFold = aggregates.has(text) || text === "distinct";
    if (isFold && isName(reader.peek()) && isExactly(reader.peek(2), "in")) return readFold(reader, word);
  }
  reader.take();
  const args = readExprs(reader, ")");
  reader.expect(")", "to close the operands");
  return reader.add({ kind: "op", op: text, args }, start, part("op", word));
}

function readBracketed(reader: Reader): Expr {
  const { text, start } = reader.token;
  switch (text) {
    case "(": {
      reader.take();
      const expr = reader.parenthesised(readExpr);
      reader.expect(")", "to close the parentheses");
      return expr;
    }
    case "[": {
      reader.take();
      const items = readExprs(reader, "]");
      reader.expect("]", "to close the list");
      return reader.add({ kind: "list", items }, start);
    }
    case "{": {
      reader.take();
      const fields = readArguments(reader, "}", "a field");
      reader.expect("}", "to close the record");
      return reader.add({ kind: "record", fields }, start);
    }
    default:
      return readNothing(reader);
  }
}

function readNothing(reader: Reader): Expr {
  reader.failExpected("an expression", hintForName(reader.token));
  return nothing();
}

/** Placeholder for a missing expression; the problem has been reported. */
function nothing(): Expr {
  return { kind: "none" };
}
