/** Terms that stand for expressions of the Effect IR, so that what is guessed about terms can be written down. Not trusted. */
import { printIdentifier } from "../../ir/index.ts";
import { Terms } from "../terms/factory.ts";
import { printTerm } from "../terms/print-term.ts";
import type { Sort, Term } from "../terms/term.ts";

/** LIMIT: of parts of one text; a longer one would be cut. */
const mostParts = 1_000;

export class Standing {
  readonly terms = new Terms();
  readonly #expressions = new Map<string, string>();

  /** A term for the expression; terms know no lists and no options. */
  for(expression: string, sort: Sort): Term {
    const name = `~${this.#expressions.size}~`;
    this.#expressions.set(printIdentifier(name), expression);
    return this.terms.constant(name, sort);
  }

  named(name: string, sort: Sort): Term {
    return this.for(printIdentifier(name), sort);
  }

  text(term: Term): string {
    const text = printTerm(term, mostParts).replaceAll(" + -1 * ", " - ");
    return text.replace(/`~\d+~`/g, (name) => this.#expressions.get(name) ?? name);
  }
}
