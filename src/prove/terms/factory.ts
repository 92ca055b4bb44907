/**
 * Builds terms: equal ones are one object, sorts are checked, and what can be decided is decided on the way.
 * Every rewrite here is tested against the evaluator and the solver on random terms.
 * Part of what must be trusted.
 */
import { isPartly, Meter, type Operator, operatorNamed, type Value } from "../../ir/index.ts";
import { AbsentUnits } from "./absent-units.ts";
import { Effort } from "./effort.ts";
import { Shared } from "./hash-consing.ts";
import { Ranges } from "./range.ts";
import { fitSignature } from "./signatures.ts";
import { simplify } from "./simplify.ts";
import {
  type ConstantTerm,
  isOfSort,
  type LiteralTerm,
  type Sort,
  type Term,
  typeOfSort,
  unknownPrefix,
} from "./term.ts";

/** LIMIT: names are for reading only while they are short. */
const longestName = 200;

export class Terms {
  readonly effort = new Effort();
  readonly ranges = new Ranges();
  readonly absent = new AbsentUnits();
  /** Lengths of text terms, by term. */
  readonly lengths = new Map<number, Term>();
  readonly #shared = new Shared();
  readonly #brief = new Map<string, number>();
  #unique = 0;

  readonly true = this.literal(true, "Bool");
  readonly false = this.literal(false, "Bool");

  literal(value: Value, sort: Sort): LiteralTerm {
    if (!isOfSort(value, sort)) throw new TypeError(`no literal of sort ${sort}`);
    return this.#shared.literal(value, sort);
  }

  bool(value: boolean): LiteralTerm {
    return value ? this.true : this.false;
  }

  int(value: bigint | number): LiteralTerm {
    return this.literal(BigInt(value), "Int");
  }

  /** The same name is the same value; a caller who wants a new one gives a new name. */
  constant(name: string, sort: Sort): ConstantTerm {
    return this.#shared.constant(name, sort);
  }

  /**
   * A short name for a long one, the same for the same: names of what was made from one another would double in
   * length with every choice between the two.
   */
  brief(name: string): string {
    if (name.length <= longestName) return name;
    let number = this.#brief.get(name);
    if (number === undefined) {
      number = this.#brief.size;
      this.#brief.set(name, number);
    }
    return `~${number}`;
  }

  /** A number that was not given before, by any walk. */
  unique(): number {
    return this.#unique++;
  }

  /** A function of which nothing is known but that equal operands give equal results. */
  unknown(name: string, args: readonly Term[], sort: Sort): Term {
    return this.raw(`${unknownPrefix}${name}`, args, sort);
  }

  /** An operator of the table applied to scalars. */
  apply(op: string, ...args: readonly Term[]): Term {
    return this.#certainly(op, args);
  }

  #certainly(op: string, args: readonly Term[]): Term {
    const term = this.applied(op, args);
    if (term === undefined)
      throw new TypeError(`\`${op}\` does not take ${args.map((arg) => arg.sort).join(", ")}`);
    return term;
  }

  /** Undefined where the operator does not take such scalars, or gives none. */
  applied(op: string, args: readonly Term[]): Term | undefined {
    const operator = operatorNamed(op);
    if (operator === undefined) throw new TypeError(`there is no operator \`${op}\``);
    const fit = fitSignature(operator, args);
    if (fit === undefined) return undefined;
    const operands = fit.isSame
      ? args
      : args.map((arg, i) => (fit.params[i] === "Real" ? this.toReal(arg) : arg));
    if (areLiterals(operands)) return this.#fold(operator, operands, fit.result);
    return this.#simplified(op, operands, fit.result);
  }

  /** Simplifies an application whose operands have the operator's sorts and are not all literals. */
  #simplified(op: string, operands: readonly Term[], sort: Sort): Term {
    return simplify(this, op, operands, sort) ?? this.raw(op, operands, sort);
  }

  /** Without simplification; for the simplifier, which has looked at it. */
  raw(op: string, args: readonly Term[], sort: Sort): Term {
    this.effort.spend(1 + args.length);
    return this.#shared.apply(op, args, sort);
  }

  toReal(term: Term): Term {
    if (term.sort === "Real") return term;
    if (term.sort !== "Int") throw new TypeError(`a ${term.sort} is no number`);
    return isLiteral(term) ? this.literal(term.value, "Real") : this.raw("toReal", [term], "Real");
  }

  // ── the usual ones, for short ──────────────────────────────────────────────────────────────────────────

  and(...terms: readonly Term[]): Term {
    return this.all(terms);
  }

  or(...terms: readonly Term[]): Term {
    return this.any(terms);
  }

  /**
   * Returns the conjunction of any number of terms. It takes a list, because a spread of so many arguments overflows
   * the stack.
   */
  all(terms: readonly Term[]): Term {
    return this.#connect("and", terms, this.true, this.false);
  }

  any(terms: readonly Term[]): Term {
    return this.#connect("or", terms, this.false, this.true);
  }

  /** Most operands are decided already, and need no operator. */
  #connect(op: "and" | "or", terms: readonly Term[], identity: Term, absorbing: Term): Term {
    let last: Term | undefined;
    let count = 0;
    for (const term of terms) {
      if (term === absorbing) return absorbing;
      if (term === identity) continue;
      last = term;
      count++;
    }
    if (last === undefined) return identity;
    if (count === 1) return last;
    const open = count === terms.length ? terms : terms.filter((term) => term !== identity);
    for (const { sort } of open) if (sort !== "Bool") throw new TypeError(`\`${op}\` takes booleans`);
    return this.#simplified(op, open, "Bool");
  }

  not(term: Term): Term {
    if (term === this.true) return this.false;
    if (term === this.false) return this.true;
    if (term.sort !== "Bool") throw new TypeError("`not` takes a boolean");
    return this.#simplified("not", [term], "Bool");
  }

  implies(premise: Term, conclusion: Term): Term {
    return this.or(this.not(premise), conclusion);
  }

  ite(condition: Term, yes: Term, no: Term): Term {
    if (yes === no || condition === this.true) return yes;
    if (condition === this.false) return no;
    const fits = condition.sort === "Bool" && yes.sort === no.sort;
    return fits
      ? this.#simplified("if", [condition, yes, no], yes.sort)
      : this.apply("if", condition, yes, no);
  }

  equal(a: Term, b: Term): Term {
    if (a === b) return this.true;
    const decided = isLiteral(a) && isLiteral(b);
    return a.sort === b.sort && !decided ? this.#simplified("==", [a, b], "Bool") : this.apply("==", a, b);
  }

  sum(terms: readonly Term[], sort: "Int" | "Real"): Term {
    const zero = this.literal(0n, sort);
    return terms.length === 0 ? zero : terms.length === 1 ? only(terms) : this.#certainly("+", terms);
  }

  #fold(operator: Operator, operands: readonly LiteralTerm[], sort: Sort): LiteralTerm {
    const values = operands.map((operand) => operand.value);
    const { evaluate } = operator;
    const value =
      evaluate.kind === "lazy"
        ? evaluate.apply(values.map((one) => () => one))
        : evaluate.apply(values, { meter: new Meter(), type: typeOfSort[sort] });
    if (isPartly(value)) throw new TypeError("an operator on values gives a value");
    return this.literal(value, sort);
  }
}

function isLiteral(term: Term): term is LiteralTerm {
  return term.kind === "literal";
}

function areLiterals(terms: readonly Term[]): terms is readonly LiteralTerm[] {
  for (const { kind } of terms) if (kind !== "literal") return false;
  return true;
}

function only(terms: readonly Term[]): Term {
  const [term] = terms;
  if (term === undefined) throw new TypeError("a term is missing");
  return term;
}
