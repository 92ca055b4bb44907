/** Order of two calls. Part of what must be trusted. */

import type { Fact } from "../symbolic/call-events.ts";
import { resultName } from "../symbolic/symbolic-state.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

/**
 * By the branches and iterations that they are in, outermost first; within one of each by their places.
 * SOUNDNESS: of calls at the same time it is not known which is started first, but for those in branches that make a single
 * call each, which are started in written order.
 */
export function precedes(terms: Terms, first: Fact, second: Fact): Term {
  return compared(terms, first, second, { turn: 0, lane: 0 });
}

/** Number of common iterations and branches of both calls. */
interface Shared {
  readonly turn: number;
  readonly lane: number;
}

function compared(terms: Terms, first: Fact, second: Fact, { turn, lane }: Shared): Term {
  const [mine, other] = [first.lanes[lane], second.lanes[lane]];
  const written = terms.bool(first.position < second.position);
  if (mine?.depth === turn || other?.depth === turn) {
    // SOUNDNESS: in one branch of all commands so far, what is not in the same one is in the order of the program.
    if (mine?.depth !== other?.depth || mine?.parallel !== other?.parallel) return written;
    if (mine?.branch === other?.branch) return compared(terms, first, second, { turn, lane: lane + 1 });
    return mine?.isSingle && other?.isSingle ? written : either(terms, first, second);
  }
  const [here, there] = [first.turns[turn], second.turns[turn]];
  // SOUNDNESS: in one iteration of all loops so far, what is not in the same loop is in the order of the program.
  if (here === undefined || there === undefined || here.loop !== there.loop) return written;
  const rest = compared(terms, first, second, { turn: turn + 1, lane });
  if (here.index === there.index) return rest;
  const same = terms.equal(here.index, there.index);
  const earlier = terms.apply("<", here.index, there.index);
  if (here.parallel !== "many") return terms.or(earlier, terms.and(same, rest));
  return terms.ite(same, rest, either(terms, first, second));
}

/** Some order, the same for the same two calls whichever is asked for first. */
function either(terms: Terms, first: Fact, second: Fact): Term {
  const [a, b] = [resultName(first), resultName(second)];
  return a < b ? before(terms, a, b) : terms.not(before(terms, b, a));
}

function before(terms: Terms, first: string, second: string): Term {
  return terms.constant(`before@${first}@${second}`, "Bool");
}

/** Returns whether it is known which of the two is started first, whatever the run. */
export function isOrdered(terms: Terms, first: Fact, second: Fact): boolean {
  return precedes(terms, first, second).kind === "literal";
}
