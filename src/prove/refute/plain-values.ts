/**
 * Constraints that make values passable: few decimal places, not too big or too long. Not trusted: it only helps to
 * find another run if the first cannot be made.
 */
import { compare, isNum, type Num, numOfJs } from "../../ir/index.ts";
import type { Model } from "../decide/solver/port.ts";
import type { Walk } from "../symbolic/call-events.ts";
import type { Symbolic } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Scalar, Term } from "../terms/term.ts";
import { inOrder } from "./concrete-evaluation.ts";

/** LIMIT: of terms that are looked through. */
const mostTerms = 100_000;
const places = 100n;
const mostNumber = 10n ** 13n;
const longestText = 10_000n;

/** Constrains unknowns and arguments to plain values; undefined if there are too many. */
export function plainValues(
  terms: Terms,
  { facts }: Walk,
  assumptions: readonly Term[],
  goal: Term,
): Term[] | undefined {
  const ordered = inOrder([goal, ...assumptions], mostTerms);
  if (ordered === undefined) return undefined;
  const unknowns = ordered.order
    .filter(({ kind }) => kind === "constant")
    .map((term) => isPlain(terms, term));
  const passed = facts.flatMap(({ args, guard }) =>
    scalarsIn(args).map((term) => terms.implies(guard, isPlain(terms, term))),
  );
  return [...new Set([...unknowns, ...passed])].filter((term) => term !== terms.true);
}

function isPlain(terms: Terms, term: Term): Term {
  switch (term.sort) {
    case "Bool":
      return terms.true;
    case "String":
      return terms.apply("<=", terms.apply("length", term), terms.int(longestText));
    case "Int":
      return isWithin(terms, term);
    case "Real": {
      const scaled = terms.apply("*", terms.literal(places, "Real"), term);
      const isRound = terms.equal(terms.toReal(terms.apply("floor", scaled)), scaled);
      return terms.and(isWithin(terms, term), isRound);
    }
  }
}

function isWithin(terms: Terms, number: Term): Term {
  const [least, most] = [-mostNumber, mostNumber].map((bound) => terms.int(bound));
  if (least === undefined || most === undefined) return terms.true;
  return terms.and(terms.apply("<=", least, number), terms.apply("<=", number, most));
}

function scalarsIn(value: Symbolic): readonly Term[] {
  switch (value.kind) {
    case "scalar":
      return [value.term];
    case "option":
      return value.value === undefined ? [] : scalarsIn(value.value);
    case "record":
      return [...value.fields.values()].flatMap((field) => scalarsIn(field.value));
    case "list":
      return value.items.flatMap((item) => scalarsIn(item.value));
    default:
      return [];
  }
}

/** The model with every fraction as the number of JavaScript that is nearest to it. */
export function rounded(model: Model): Model {
  return new Map(Array.from(model, ([name, value]) => [name, roundedValue(value)] as const));
}

function roundedValue(value: Scalar): Scalar {
  if (!isNum(value) || typeof value === "bigint") return value;
  const near = Number(value.num) / Number(value.den);
  if (!Number.isFinite(near)) return value;
  const number: Num = numOfJs(near);
  // To a number without places on the way there, where that is all that is left of it.
  return compare(number, 0n) === 0 ? 0n : number;
}
