/**
 * Expressions to text. Pieces are collected and joined once, so that the time is linear in what is written.
 * Total: an operator that cannot be written in its own way is written as a call. Part of what must be trusted.
 */
import type { Argument, Expr, LambdaExpr, OpExpr } from "../document.ts";
import { decimalText, type Num } from "../number.ts";
import { operators, type Syntax } from "../operators/index.ts";
import { writeFormula } from "./print-formula.ts";
import { printIdentifier, printLabel, printString } from "./print-name.ts";
import { writeType } from "./print-type.ts";
import { callForms, signPrecedence } from "./syntax.ts";

export function printExpr(expr: Expr): string {
  const out: string[] = [];
  writeExpr(out, expr);
  return out.join("");
}

/** Precedence of forms that extend to the right; parenthesized as operands. */
const open = 0;
/** Precedence of closed forms. */
const closed = Number.POSITIVE_INFINITY;

/** Writes an expression as an operand of something that takes what binds at least as tightly as `least`. */
export function writeExpr(out: string[], expr: Expr, least = open): void {
  const parentheses = tightness(expr) < least;
  if (parentheses) out.push("(");
  writeBare(out, expr);
  if (parentheses) out.push(")");
}

function tightness(expr: Expr): number {
  switch (expr.kind) {
    case "lambda":
    case "let":
    case "quantifier":
    case "perKey":
      return open;
    case "number":
      return isSigned(expr.value) ? signPrecedence : closed;
    case "op": {
      const syntax = notation(expr);
      if (syntax.kind === "if") return open;
      return syntax.kind === "call" ? closed : syntax.precedence;
    }
    default:
      return closed;
  }
}

function writeBare(out: string[], expr: Expr): void {
  switch (expr.kind) {
    case "bool":
      out.push(expr.value ? "true" : "false");
      return;
    case "none":
      out.push("none");
      return;
    case "number":
      out.push(printNumber(expr.value));
      return;
    case "string":
      out.push(printString(expr.value));
      return;
    case "var":
      out.push(printIdentifier(expr.name));
      return;
    case "op":
      writeOperation(out, expr, notation(expr));
      return;
    case "lambda":
      writeLambda(out, expr);
      return;
    case "list":
      out.push("[");
      writeExprs(out, expr.items);
      out.push("]");
      return;
    case "record":
      out.push(expr.fields.length === 0 ? "{" : "{ ");
      writeArguments(out, expr.fields);
      out.push(expr.fields.length === 0 ? "}" : " }");
      return;
    case "field":
      writeExpr(out, expr.of, closed);
      out.push(".", printLabel(expr.name));
      return;
    case "let":
      out.push("let ", printIdentifier(expr.name), " = ");
      writeExpr(out, expr.value);
      out.push(" in ");
      writeExpr(out, expr.body);
      return;
    default:
      writeFormula(out, expr);
  }
}

export function writeExprs(out: string[], exprs: readonly Expr[]): void {
  exprs.forEach((expr, i) => {
    if (i > 0) out.push(", ");
    writeExpr(out, expr);
  });
}

export function writeArguments(out: string[], args: readonly Argument[]): void {
  args.forEach(({ name, value, optional }, i) => {
    if (i > 0) out.push(", ");
    out.push(printLabel(name), optional ? "?: " : ": ");
    writeExpr(out, value);
  });
}

function writeLambda(out: string[], { params, body }: LambdaExpr): void {
  const [only] = params;
  if (params.length === 1 && only !== undefined && only.type === undefined)
    out.push(printIdentifier(only.name));
  else {
    out.push("(");
    params.forEach(({ name, type }, i) => {
      out.push(i > 0 ? ", " : "", printIdentifier(name));
      if (type === undefined) return;
      out.push(": ");
      writeType(out, type);
    });
    out.push(")");
  }
  out.push(" => ");
  writeExpr(out, body);
}

// ── operators ────────────────────────────────────────────────────────────────────────────────────────────

const asCall: Syntax = { kind: "call" };

/** Returns the notation of an operator with these operands; a call if its syntax has another arity. */
function notation({ op, args }: OpExpr): Syntax {
  const syntax = operators.get(op)?.syntax ?? asCall;
  switch (syntax.kind) {
    case "call":
      return syntax;
    case "prefix":
      return args.length === 1 ? syntax : asCall;
    case "infix":
      return args.length === 2 || (args.length > 2 && syntax.group === "chain") ? syntax : asCall;
    case "if":
      return args.length === 3 ? syntax : asCall;
  }
}

function writeOperation(out: string[], expr: OpExpr, syntax: Syntax): void {
  const [first, second, third] = expr.args;
  if (syntax.kind === "infix") writeInfix(out, expr, syntax);
  else if (syntax.kind === "prefix" && first !== undefined) writePrefix(out, first, syntax);
  else if (syntax.kind === "if" && first !== undefined && second !== undefined && third !== undefined) {
    out.push("if ");
    writeExpr(out, first);
    out.push(" then ");
    writeExpr(out, second);
    out.push(" else ");
    writeExpr(out, third);
  } else {
    // A form of the same name would be read instead.
    out.push(callForms.has(expr.op) ? `\`${expr.op}\`` : printIdentifier(expr.op), "(");
    writeExprs(out, expr.args);
    out.push(")");
  }
}

function writeInfix(out: string[], expr: OpExpr, syntax: Syntax & { readonly kind: "infix" }): void {
  const { symbol, precedence, group } = syntax;
  const last = expr.args.length - 1;
  expr.args.forEach((arg, i) => {
    if (i > 0) out.push(" ", symbol, " ");
    // Without parentheses, a chain at the start of a chain of the same operator would become one with it.
    const joins = group === "chain" && arg.kind === "op" && arg.op === expr.op;
    const groups =
      i === 0 ? group === "left" || (group === "chain" && !joins) : i === last && group === "right";
    writeExpr(out, arg, groups ? precedence : precedence + 1);
  });
}

function writePrefix(out: string[], operand: Expr, syntax: Syntax & { readonly kind: "prefix" }): void {
  const { symbol, precedence } = syntax;
  out.push(symbol, /\w$/.test(symbol) ? " " : "");
  // Without parentheses, the sign would become part of the number.
  const joins = symbol === "-" && operand.kind === "number" && !isSigned(operand.value);
  if (joins) out.push("(");
  writeExpr(out, operand, precedence);
  if (joins) out.push(")");
}

// ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: beyond this a decimal is no easier to read than a ratio, and it can be much longer. */
const maxDecimalLength = 40;
const maxDecimalDenominator = 10n ** BigInt(maxDecimalLength);

function printNumber(value: Num): string {
  if (typeof value === "bigint") return value.toString();
  return shortDecimal(value) ?? `ratio(${value.num}, ${value.den})`;
}

/** Returns true if the number is written with a sign. */
function isSigned(value: Num): boolean {
  if (typeof value === "bigint") return value < 0n;
  return value.num < 0n && shortDecimal(value) !== undefined;
}

function shortDecimal(value: Num & object): string | undefined {
  if (value.den > maxDecimalDenominator) return undefined;
  const text = decimalText(value);
  return text !== undefined && text.length <= maxDecimalLength ? text : undefined;
}
