/**
 * The rewrites that the factory applies to an operator on operands that are not all literals. Each is an equality
 * that holds for all values; each is tested against the evaluator on random terms.
 * Part of what must be trusted.
 */
import { compare, isNum, type Num } from "../../ir/index.ts";
import type { Terms } from "./factory.ts";
import type { ApplyTerm, Sort, Term } from "./term.ts";

/** A simpler equal term, or undefined if there is none. */
export function simplify(terms: Terms, op: string, args: readonly Term[], sort: Sort): Term | undefined {
  const [a, b, c] = args;
  switch (op) {
    case "and":
      return connective(terms, "and", args, terms.true, terms.false);
    case "or":
      return connective(terms, "or", args, terms.false, terms.true);
    case "implies":
      return a && b && terms.implies(a, b);
    case "not":
      return a && negation(terms, a);
    case "if":
      return a && b && c && choice(terms, a, b, c);
    case "==":
      return a && b && equality(terms, a, b);
    case "!=":
      return a && b && terms.not(terms.equal(a, b));
    case ">":
      return a && b && terms.apply("<", b, a);
    case ">=":
      return a && b && terms.apply("<=", b, a);
    case "<":
    case "<=":
      return a && b && ordering(terms, op, a, b);
    case "+":
      return sum(terms, args, sort);
    case "-":
      return a && b && sum(terms, [a, terms.apply("negate", b)], sort, true);
    case "negate":
      return a && (isApply(a, "negate") ? a.args[0] : product(terms, [terms.literal(-1n, sort), a], sort));
    case "*":
      return product(terms, args, sort);
    case "abs":
      return a && isAtLeastZero(terms, a) ? a : undefined;
    case "length":
      return a && lengthOf(terms, a);
    case "contains":
    case "startsWith":
    case "endsWith":
      return a && b && lacksOf(terms, a, b) ? terms.false : undefined;
    default:
      return undefined;
  }
}

// ── booleans ─────────────────────────────────────────────────────────────────────────────────────────────

function connective(
  terms: Terms,
  op: "and" | "or",
  args: readonly Term[],
  identity: Term,
  absorbing: Term,
): Term | undefined {
  const flat = flattened(op, args);
  const [a, b] = flat;
  if (a !== undefined && b !== undefined && flat.length === 2) {
    if (a === absorbing || b === absorbing) return absorbing;
    if (a === identity || a === b) return b;
    if (b === identity) return a;
    if (isOpposite(a, b) || isOpposite(b, a)) return absorbing;
    return terms.raw(op, flat, "Bool");
  }
  const kept = new Set<Term>();
  for (const arg of flat) {
    if (arg === absorbing) return absorbing;
    if (arg !== identity) kept.add(arg);
  }
  for (const arg of kept) {
    const opposite = isApply(arg, "not") ? arg.args[0] : undefined;
    if (opposite !== undefined && kept.has(opposite)) return absorbing;
  }
  const rest = Array.from(kept);
  if (rest.length === 0) return identity;
  if (rest.length === 1) return rest[0];
  return terms.raw(op, rest, "Bool");
}

function isOpposite(a: Term, b: Term): boolean {
  return isApply(a, "not") && a.args[0] === b;
}

/** The operands, with those of the same operator in place of it. */
function flattened(op: string, args: readonly Term[]): readonly Term[] {
  if (!args.some((arg) => isApply(arg, op))) return args;
  const flat: Term[] = [];
  for (const arg of args) {
    if (!isApply(arg, op)) flat.push(arg);
    else for (const part of arg.args) flat.push(part);
  }
  return flat;
}

function negation(terms: Terms, a: Term): Term | undefined {
  if (isApply(a, "not")) return a.args[0];
  const [x, y] = a.kind === "apply" ? a.args : [];
  if (x === undefined || y === undefined || !isNumeric(x)) return undefined;
  if (isApply(a, "<")) return terms.apply("<=", y, x);
  return isApply(a, "<=") ? terms.apply("<", y, x) : undefined;
}

function choice(terms: Terms, condition: Term, yes: Term, no: Term): Term | undefined {
  if (condition === terms.true) return yes;
  if (condition === terms.false) return no;
  if (yes === no) return yes;
  if (isApply(condition, "not")) {
    const [positive] = condition.args;
    return positive && terms.ite(positive, no, yes);
  }
  // Where the condition holds both are the same, so it is the other one everywhere.
  if (isApply(condition, "==") && condition.args.includes(yes) && condition.args.includes(no)) return no;
  if (yes.sort !== "Bool") return undefined;
  if (yes === terms.true) return terms.or(condition, no);
  if (yes === terms.false) return terms.and(terms.not(condition), no);
  if (no === terms.true) return terms.or(terms.not(condition), yes);
  return no === terms.false ? terms.and(condition, yes) : undefined;
}

function equality(terms: Terms, a: Term, b: Term): Term | undefined {
  if (a === b) return terms.true;
  if (a.sort === "Bool") {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      if (x === terms.true) return y;
      if (x === terms.false) return terms.not(y);
    }
  }
  const lifted = lift(terms, a, b, (x, y) => terms.equal(x, y));
  if (lifted !== undefined) return lifted;
  if (isNumeric(a)) {
    const left = terms.ranges.of(a);
    const right = terms.ranges.of(b);
    if (isBelow(left.high, right.low) || isBelow(right.high, left.low)) return terms.false;
  }
  // One order for both ways to write it.
  return a.id <= b.id ? undefined : terms.raw("==", [b, a], "Bool");
}

function ordering(terms: Terms, op: "<" | "<=", a: Term, b: Term): Term | undefined {
  if (a === b) return terms.bool(op === "<=");
  const lifted = lift(terms, a, b, (x, y) => terms.apply(op, x, y));
  if (lifted !== undefined || !isNumeric(a)) return lifted;
  const left = terms.ranges.of(a);
  const right = terms.ranges.of(b);
  if (left.high !== undefined && right.low !== undefined) {
    const most = compare(left.high, right.low);
    if (most < 0 || (most === 0 && op === "<=")) return terms.true;
  }
  if (left.low !== undefined && right.high !== undefined) {
    const least = compare(left.low, right.high);
    if (least > 0 || (least === 0 && op === "<")) return terms.false;
  }
  return undefined;
}

/** A comparison with a choice between literals is a choice between comparisons of literals. */
function lift(terms: Terms, a: Term, b: Term, build: (a: Term, b: Term) => Term): Term | undefined {
  if (!isApply(a, "if") && !isApply(b, "if")) return undefined;
  for (const [chosen, other, flip] of [
    [a, b, false],
    [b, a, true],
  ] as const) {
    if (!isApply(chosen, "if") || other.kind !== "literal") continue;
    const [condition, yes, no] = chosen.args;
    if (condition === undefined || yes?.kind !== "literal" || no?.kind !== "literal") continue;
    return terms.ite(
      condition,
      flip ? build(other, yes) : build(yes, other),
      flip ? build(other, no) : build(no, other),
    );
  }
  return undefined;
}

// ── texts ────────────────────────────────────────────────────────────────────────────────────────────────

/** The length of what was put together is a matter of numbers, which are easier to decide than texts. */
function lengthOf(terms: Terms, text: Term): Term | undefined {
  // Texts share parts: each part is looked at once.
  const known = terms.lengths.get(text.id);
  if (known !== undefined) return known;
  const length = lengthByParts(terms, text);
  if (length !== undefined) terms.lengths.set(text.id, length);
  return length;
}

function lengthByParts(terms: Terms, text: Term): Term | undefined {
  const length = (part: Term) => terms.apply("length", part);
  if (isApply(text, "++")) return terms.sum(text.args.map(length), "Int");
  const [first, second, third] = text.kind === "apply" ? text.args : [];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (isApply(text, "if")) return terms.ite(first, length(second), length(third));
  if (!isApply(text, "slice") || second.kind !== "literal" || third.kind !== "literal") return undefined;
  const [from, to] = [numberOf(second), numberOf(third)];
  if (compare(from, 0n) < 0 || compare(to, from) < 0) return undefined;
  const end = terms.apply("min", length(first), third);
  return terms.apply("max", terms.int(0), terms.apply("-", end, second));
}

/** LIMIT: of code units that are looked for one by one. */
const mostUnits = 64;

/** Returns true if the first text certainly lacks a code unit that the second one has. */
function lacksOf(terms: Terms, text: Term, part: Term): boolean {
  if (part.kind !== "literal" || typeof part.value !== "string" || text.sort !== "String") return false;
  return [...new Set(part.value.slice(0, mostUnits).split(""))].some((unit) =>
    terms.absent.lacks(text, unit),
  );
}

// ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────

/** Sums are flat, with like terms collected: each term once, with its factor, and one literal at the end. */
function sum(terms: Terms, args: readonly Term[], sort: Sort, always = false): Term | undefined {
  const factors = new Map<Term, Num>();
  let constant: Num = 0n;
  for (const arg of flattened("+", args)) {
    if (arg.kind === "literal") {
      constant = plus(terms, constant, numberOf(arg), sort);
      continue;
    }
    const [factor, rest] = factored(arg);
    factors.set(rest, plus(terms, factors.get(rest) ?? 0n, factor, sort));
  }
  const parts: Term[] = [];
  for (const [term, factor] of mergedChoices(terms, factors, sort)) {
    if (term.kind === "literal")
      constant = plus(terms, constant, times(terms, factor, numberOf(term), sort), sort);
    else if (factor !== 0n) parts.push(scaled(terms, factor, term, sort));
  }
  if (constant !== 0n) parts.push(terms.literal(constant, sort));
  if (parts.length === 0) return terms.literal(0n, sort);
  if (parts.length === 1) return parts[0];
  return always || !same(parts, args) ? terms.raw("+", parts, sort) : undefined;
}

/** Choices between numbers on one condition, added up on each side: both sides of a branch are often alike. */
function mergedChoices(terms: Terms, factors: ReadonlyMap<Term, Num>, sort: Sort): Iterable<[Term, Num]> {
  const byCondition = new Map<Term, [Term, Num][]>();
  for (const [term, factor] of factors) {
    const condition = isApply(term, "if") && term.args.slice(1).every(isLiteral) ? term.args[0] : undefined;
    if (condition === undefined) continue;
    const choices = byCondition.get(condition);
    if (choices === undefined) byCondition.set(condition, [[term, factor]]);
    else choices.push([term, factor]);
  }
  if ([...byCondition.values()].every((choices) => choices.length === 1)) return factors;
  const merged = new Map(factors);
  for (const [condition, choices] of byCondition) {
    if (choices.length === 1) continue;
    const sides = [1, 2].map((side) =>
      choices.reduce<Num>((sum, [term, factor]) => {
        const value = term.kind === "apply" ? term.args[side] : undefined;
        if (value === undefined) throw new TypeError("a choice has two sides");
        return plus(terms, sum, times(terms, factor, numberOf(value), sort), sort);
      }, 0n),
    );
    for (const [term] of choices) merged.delete(term);
    const [yes = 0n, no = 0n] = sides;
    const both = terms.ite(condition, terms.literal(yes, sort), terms.literal(no, sort));
    merged.set(both, plus(terms, merged.get(both) ?? 0n, 1n, sort));
  }
  return merged;
}

function isLiteral(term: Term): boolean {
  return term.kind === "literal";
}

function product(terms: Terms, args: readonly Term[], sort: Sort): Term | undefined {
  let factor: Num = 1n;
  const rest: Term[] = [];
  for (const arg of flattened("*", args)) {
    if (arg.kind === "literal") factor = times(terms, factor, numberOf(arg), sort);
    else rest.push(arg);
  }
  if (factor === 0n || rest.length === 0) return terms.literal(factor, sort);
  if (rest.length === 1) return rest[0] && scaled(terms, factor, rest[0], sort);
  const parts = factor === 1n ? rest : [terms.literal(factor, sort), ...rest];
  return terms.raw("*", parts, sort);
}

/** `3 * x` as 3 and `x`. */
function factored(term: Term): [Num, Term] {
  if (!isApply(term, "*")) return [1n, term];
  const [first, second, ...more] = term.args;
  if (first?.kind !== "literal" || second === undefined || more.length > 0) return [1n, term];
  return [numberOf(first), second];
}

function scaled(terms: Terms, factor: Num, term: Term, sort: Sort): Term {
  if (factor === 1n) return term;
  if (isApply(term, "*") && term.args[0]?.kind === "literal") {
    return terms.apply("*", terms.literal(factor, sort), term);
  }
  return terms.raw("*", [terms.literal(factor, sort), term], sort);
}

function plus(terms: Terms, a: Num, b: Num, sort: Sort): Num {
  return numberOf(terms.apply("+", terms.literal(a, sort), terms.literal(b, sort)));
}

function times(terms: Terms, a: Num, b: Num, sort: Sort): Num {
  return numberOf(terms.apply("*", terms.literal(a, sort), terms.literal(b, sort)));
}

function numberOf(term: Term): Num {
  if (term.kind === "literal" && isNum(term.value)) return term.value;
  throw new TypeError("a number was expected");
}

function same(a: readonly Term[], b: readonly Term[]): boolean {
  return a.length === b.length && a.every((term, i) => term === b[i]);
}

function isAtLeastZero(terms: Terms, term: Term): boolean {
  const { low } = terms.ranges.of(term);
  return low !== undefined && compare(low, 0n) >= 0;
}

function isBelow(a: Num | undefined, b: Num | undefined): boolean {
  return a !== undefined && b !== undefined && compare(a, b) < 0;
}

function isNumeric(term: Term): boolean {
  return term.sort === "Int" || term.sort === "Real";
}

export function isApply<Op extends string>(term: Term, op: Op): term is ApplyTerm & { readonly op: Op } {
  return term.kind === "apply" && term.op === op;
}
