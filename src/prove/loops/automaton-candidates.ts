/**
 * In which states an automaton may be at the beginning of every iteration of a loop: that it is in none but some, from
 * where it was before the loop, and while something else is true of what the loop carries. Nothing rests on a guess
 * that was not shown.
 */
import type { Checked } from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { constantsOf, textsOf } from "./constants.ts";
import { type Candidate, held, type Moment } from "./invariant-candidates.ts";

/** LIMIT: of guesses for one loop. */
const mostGuesses = 600;
/** LIMIT: of numbers and texts that what is carried is compared with. */
const mostCompared = 5;
/** LIMIT: of flags of which two are looked at together. */
const mostFlags = 5;

/** Something that may be true at one moment. */
interface When {
  /** The same whenever the loop is looked at again; empty for what is always true. */
  readonly id: string;
  readonly at: (moment: Moment) => Term;
}

/**
 * @param start the moment before the loop where it is met first; it decides which guesses are worth putting up, and enters
 *   the meaning of none
 * @param inputs what the guarantees say of the inputs alone
 */
export function stateGuesses(
  terms: Terms,
  checked: Checked,
  start: Moment,
  inputs: () => readonly Term[],
): Candidate[] {
  const found: Candidate[] = [];
  const add = (id: string, at: Candidate["at"]) => {
    if (found.length < mostGuesses) found.push({ id, at });
  };
  if (start.states.length === 0) return found;
  for (const { id, at } of countingGuesses(terms, start)) add(id, at);
  const whens = [always(terms), ...single(terms, checked, start, inputs()), ...inPairs(terms, start)];
  // What says most with least comes first: nothing else, then where it was before the loop, then one more thing.
  for (const when of whens)
    start.states.forEach((before, automaton) => {
      for (const from of startsOf(terms, before))
        for (const where of placesOf(terms, before.length))
          add(`automaton ${automaton}: not ${where.id}${from.id}${when.id}`, (moment, first) =>
            terms.or(
              terms.not(terms.and(from.at(statesIn(first, automaton)), when.at(moment))),
              terms.not(where.at(statesIn(moment, automaton))),
            ),
          );
    });
  return found;
}

/** A running number of the loop. */
interface Counter {
  readonly name: string;
  readonly at: (moment: Moment, first: Moment) => Term;
}

function statesIn({ states }: Moment, automaton: number): readonly Term[] {
  const found = states[automaton];
  if (found === undefined) throw new TypeError("a moment has all automata of its layout");
  return found;
}

/**
 * An automaton that counts has its states in the order of what they count: then something that the loop carries tells
 * how many states it is away from where it was before the loop, or that it is not further than that.
 */
function countingGuesses(terms: Terms, start: Moment): Candidate[] {
  const zero = terms.literal(0n, "Real");
  const changes = start.numbers.slice(0, mostCompared).map(({ name }, i): Counter => {
    const number = ({ numbers }: Moment) => terms.toReal(held(numbers[i]));
    return { name, at: (moment, first) => terms.apply("-", number(moment), number(first)) };
  });
  const falls = changes.map(
    ({ name, at }): Counter => ({
      name: `the fall of ${name}`,
      at: (moment, first) => terms.apply("-", zero, at(moment, first)),
    }),
  );
  const rounds: Counter = { name: "index", at: ({ index }) => terms.toReal(index) };
  return start.states.flatMap((before, automaton) => {
    const from = Math.max(0, before.indexOf(terms.true));
    return before.flatMap((_, place) =>
      [rounds, ...changes, ...falls].flatMap(({ name, at }): Candidate[] => {
        const away = terms.literal(BigInt(place - from), "Real");
        const isThere = (moment: Moment) => statesIn(moment, automaton)[place] ?? terms.false;
        // The place that it is counted from is part of what the guess says, and so of its name.
        const about = `automaton ${automaton} in ${place} from ${from}, ${name}`;
        const atLeast: Candidate = {
          id: `${about} is at least as far`,
          at: (moment, first) => terms.implies(isThere(moment), terms.apply("<=", away, at(moment, first))),
        };
        const equal: Candidate = {
          id: `${about} is as far`,
          at: (moment, first) => terms.implies(isThere(moment), terms.equal(at(moment, first), away)),
        };
        return at === rounds.at ? [atLeast] : [atLeast, equal];
      }),
    );
  });
}

function always(terms: Terms): When {
  return { id: "", at: () => terms.true };
}

/** One of the states, or none of them, which is an error state. */
function placesOf(terms: Terms, count: number) {
  const each = Array.from({ length: count }, (_, i) => ({
    id: `in ${i}`,
    at: (now: readonly Term[]) => now[i] ?? terms.false,
  }));
  const none = { id: "in none", at: (now: readonly Term[]) => terms.not(terms.or(...now)) };
  const some = { id: "in any", at: (now: readonly Term[]) => terms.or(...now) };
  return [none, ...each, some];
}

/** A place where an automaton may have been before the loop. */
interface From {
  readonly id: string;
  readonly at: (first: readonly Term[]) => Term;
}

/** Returns the possible automaton states before the loop; empty if the state is known. */
function startsOf(terms: Terms, before: readonly Term[]): readonly From[] {
  const anywhere: From = { id: "", at: () => terms.true };
  const open = before.flatMap((term, i): From[] =>
    term.kind === "literal" ? [] : [{ id: `, from ${i}`, at: (first) => first[i] ?? terms.false }],
  );
  if (open.length === 0) return [anywhere];
  return [anywhere, ...open, { id: ", from none", at: (first) => terms.not(terms.or(...first)) }];
}

function single(terms: Terms, checked: Checked, start: Moment, inputs: readonly Term[]): readonly When[] {
  const [numbers, texts] = [constantsOf(checked, terms), textsOf(checked, terms)];
  const { flags, texts: carried } = start;
  const index = (moment: Moment) => terms.toReal(moment.index);
  const later: When = {
    id: ", after the first",
    at: (moment) => terms.apply("<=", terms.literal(1n, "Real"), index(moment)),
  };
  const ofFlags = flags.flatMap(({ name }, i): When[] => [
    { id: `, if ${name}`, at: (moment) => held(moment.flags[i]) },
    { id: `, unless ${name}`, at: (moment) => terms.not(held(moment.flags[i])) },
  ]);
  const ofTexts = carried.flatMap(({ name, values }, i) =>
    (values?.map((value) => terms.literal(value, "String")) ?? texts).slice(0, mostCompared).map(
      (text): When => ({
        id: `, if ${name} is ${text.id}`,
        at: (moment) => terms.equal(held(moment.texts[i]), text),
      }),
    ),
  );
  const ofNumbers = start.numbers.flatMap(({ name }, i) =>
    numbers.slice(0, mostCompared).flatMap((number): When[] => {
      const carriedIn = (moment: Moment) => terms.toReal(held(moment.numbers[i]));
      const atMost = (moment: Moment) => terms.apply("<=", carriedIn(moment), number);
      const atLeast = (moment: Moment) => terms.apply("<=", number, carriedIn(moment));
      return [
        { id: `, if ${name} is ${number.id}`, at: (moment) => terms.equal(carriedIn(moment), number) },
        { id: `, if ${name} is at most ${number.id}`, at: atMost },
        { id: `, if ${name} is more than ${number.id}`, at: (moment) => terms.not(atMost(moment)) },
        { id: `, if ${name} is at least ${number.id}`, at: atLeast },
        { id: `, if ${name} is less than ${number.id}`, at: (moment) => terms.not(atLeast(moment)) },
      ];
    }),
  );
  const ofOthers = start.states.flatMap((states, automaton) =>
    placesOf(terms, states.length).map(
      (place): When => ({
        id: `, if automaton ${automaton} is ${place.id}`,
        at: (moment) => place.at(statesIn(moment, automaton)),
      }),
    ),
  );
  const ofInputs = inputs.flatMap((holds, i): When[] => [
    { id: `, if input ${i}`, at: () => holds },
    { id: `, unless input ${i}`, at: () => terms.not(holds) },
  ]);
  return [
    ...ofFlags,
    later,
    ...ofInputs,
    ...(start.states.length > 1 ? ofOthers : []),
    ...ofTexts,
    ...ofNumbers,
  ];
}

function inPairs(terms: Terms, { flags }: Moment): readonly When[] {
  const few = flags.slice(0, mostFlags);
  return few.flatMap(({ name: a }, i) =>
    few.slice(i + 1).flatMap(({ name: b }, k) => {
      const j = i + 1 + k;
      return [true, false].flatMap((first) =>
        [true, false].map((second): When => {
          const is = (moment: Moment, place: number, wanted: boolean) =>
            wanted ? held(moment.flags[place]) : terms.not(held(moment.flags[place]));
          return {
            id: `, if ${first ? a : `not ${a}`} and ${second ? b : `not ${b}`}`,
            at: (moment) => terms.and(is(moment, i, first), is(moment, j, second)),
          };
        }),
      );
    }),
  );
}
