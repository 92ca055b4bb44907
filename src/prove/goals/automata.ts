/**
 * In which state an automaton is, as terms: of each state that is no error state, whether it is in that one. Once an
 * error state was entered it is in none of them, whatever comes later.
 * Part of what must be trusted.
 */
import type { AutomatonExpr, Checked, Tool } from "../../ir/index.ts";
import { type Fact, NotFollowed } from "../symbolic/call-events.ts";
import type { Scene } from "../symbolic/compile.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { atTheSameTime, inWrittenOrder, ordersOf } from "./interleavings.ts";
import { chooseRow, inLoop, isOf, rowOf } from "./rows.ts";

/** In the order of `statesOf`. */
export type InStates = readonly Term[];

/** The states that are no error states. */
export function statesOf({ states, error }: AutomatonExpr): readonly string[] {
  return states.filter((state) => !error.includes(state));
}

/** Before the first call. */
export function startOf(terms: Terms, automaton: AutomatonExpr): InStates {
  return statesOf(automaton).map((state) => terms.bool(state === automaton.start));
}

/** Returns true if a call of the tool can change the automaton's state. */
export function reads(checked: Checked, { on }: AutomatonExpr, tool: Tool): boolean {
  return on.some(({ over }) => isOf(checked, over.in, tool));
}

/** Returns the term "no error state was entered". */
export function isKept(terms: Terms, now: InStates): Term {
  return terms.any(now);
}

/**
 * After the call, if it happens. A call that failed steps or does not, as it happened or not.
 * The first transition from a state that takes the call counts.
 */
export function after(
  checked: Checked,
  automaton: AutomatonExpr,
  now: InStates,
  fact: Fact,
  scene: Scene,
): InStates {
  const { terms } = scene;
  const { on } = automaton;
  if (!reads(checked, automaton, fact.tool)) return now;
  const states = statesOf(automaton);
  const entered = new Map<string, Term[]>(states.map((state) => [state, []]));
  states.forEach((state, i) => {
    const here = now[i];
    if (here === undefined) throw new TypeError("an automaton has all its states");
    if (here === terms.false) return;
    let untaken: Term = terms.true;
    for (const { from, over, to } of on) {
      const row = from === state ? rowOf(checked, over.in, fact) : undefined;
      if (row === undefined) continue;
      const chosen = chooseRow(over, row.value, scene);
      entered.get(to)?.push(terms.and(here, row.present, untaken, chosen));
      untaken = terms.and(untaken, terms.not(chosen));
    }
    entered.get(state)?.push(terms.and(here, terms.or(terms.not(fact.happened), untaken)));
  });
  return states.map((state) => terms.any(entered.get(state) ?? []));
}

/**
 * Returns the term "the automaton enters no error state". Throws `NotFollowed` if the number of calls is unknown.
 * SOUNDNESS: the order of concurrent calls is arbitrary, and another one for every automaton.
 */
export function keptByAll(
  checked: Checked,
  automaton: AutomatonExpr,
  facts: readonly Fact[],
  scene: Scene,
): Term {
  const { terms, count } = scene;
  const read = facts.filter(({ tool }) => reads(checked, automaton, tool));
  const looping = read.find(({ loop }) => loop !== undefined);
  if (looping !== undefined && !inWrittenOrder(checked, (tool) => reads(checked, automaton, tool)))
    throw atTheSameTime("an automaton", [looping]);
  if (looping !== undefined) throw new NotFollowed(inLoop("automaton", looping), []);
  const step = (now: InStates, fact: Fact) => after(checked, automaton, now, fact, scene);
  const orders = ordersOf(terms, read, "an automaton");
  const kept = new Set(orders.map((order) => isKept(terms, order.reduce(step, startOf(terms, automaton)))));
  const [one = terms.true, ...more] = kept;
  if (more.length === 0) return one;
  const chosen = terms.constant(`order@${count()}`, "Int");
  return more.reduce((other, term, i) => terms.ite(terms.equal(chosen, terms.int(i)), term, other), one);
}

/** Some state of which nothing is known, the same for the same name. It is never in two states at once. */
export function someState(terms: Terms, name: string, place: number): Term {
  return terms.equal(terms.constant(name, "Int"), terms.int(place));
}
