/** Which of two calls comes first. Part of what must be trusted. */

import type { Fact } from "../symbolic/call-events.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/** By the iterations that they are in, outermost first; within one iteration by their places. */
export function precedes(terms: Terms, first: Fact, second: Fact, depth = 0): Term {
  const [mine, other] = [first.turns[depth], second.turns[depth]];
  // SOUNDNESS: in one iteration of all loops so far, what is not in the same loop is in the order of the program.
  if (mine === undefined || other === undefined || mine.loop !== other.loop)
    return terms.bool(first.position < second.position);
  const rest = precedes(terms, first, second, depth + 1);
  if (mine.index === other.index) return rest;
  const same = terms.equal(mine.index, other.index);
  return terms.or(terms.apply("<", mine.index, other.index), terms.and(same, rest));
}
