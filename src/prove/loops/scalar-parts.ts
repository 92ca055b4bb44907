/** Scalars in a value that a loop carries, for guesses: fields of records, and values of options. */
import type { Type } from "../../ir/index.ts";
import { type Symbolic, sortOf } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Sort, Term } from "../terms/term.ts";

/** A scalar that is there if the condition holds, and otherwise 0, false or empty. */
export interface ScalarPart {
  /** Empty for the value itself. */
  readonly name: string;
  readonly term: Term;
  readonly present: Term;
}

/** LIMIT: of records in records, and of scalars. */
const deepest = 3;
const mostParts = 12;

/** INVARIANT: which parts there are, and their names, follow from the type alone. */
export function partsOf(
  terms: Terms,
  type: Type,
  value: Symbolic | undefined,
  present: Term = terms.true,
): readonly ScalarPart[] {
  const found: ScalarPart[] = [];
  const visit = (of: Type, one: Symbolic | undefined, there: Term, name: string, depth: number): void => {
    const sort = sortOf(of);
    if (sort !== undefined) {
      if (found.length >= mostParts || of.kind === "enum") return;
      const none = plainest(terms, sort);
      const term = one?.kind === "scalar" ? inSort(terms, one.term, sort) : none;
      found.push({ name, term: terms.ite(there, term, none), present: there });
    } else if (depth === 0) return;
    else if (of.kind === "option") {
      const isOption = one?.kind === "option";
      const own = isOption && one.value !== undefined ? terms.and(there, one.present) : terms.false;
      visit(of.value, isOption ? one.value : undefined, own, `${name}?`, depth - 1);
    } else if (of.kind === "record")
      for (const field of of.fields) {
        const held = one?.kind === "record" ? one.fields.get(field.name) : undefined;
        const own = held === undefined ? terms.false : terms.and(there, held.present);
        visit(field.type, held?.value, own, `${name}.${field.name}`, depth - 1);
      }
  };
  visit(type, value, present, "", deepest);
  return found;
}

function inSort(terms: Terms, term: Term, sort: Sort): Term {
  return sort === "Real" ? terms.toReal(term) : term;
}

function plainest(terms: Terms, sort: Sort): Term {
  if (sort === "Bool") return terms.false;
  return sort === "String" ? terms.literal("", "String") : terms.literal(0n, sort);
}
