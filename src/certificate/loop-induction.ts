/**
 * Loops over lists of any length. One iteration is walked and stands for any: its element is any of the list, and of what
 * the iterations before it have changed only the invariants are known.
 * SOUNDNESS: the invariants are claimed before the first iteration and, wherever they hold before an iteration, after it.
 * So they hold before every iteration and after the last, which is all that is assumed, and only where there is one.
 * Part of what must be trusted.
 */
import { type Command, commandsIn, type ForCommand, type Tool, type Trail } from "../ir/index.ts";
import type { Names } from "./compile.ts";
import type { Term } from "./encode.ts";
import type { State } from "./fluent-state.ts";
import { type Invariant, invariantsOf, momentOf, withCell } from "./invariant.ts";
import type { Call, Point, Walk } from "./symbolic-executor.ts";
import type { Many, Plain } from "./symbolic-value.ts";
import { merge, plain, termOf } from "./symbolic-value.ts";

const doubt = "an iteration of a loop";

interface Loop {
  readonly command: ForCommand;
  readonly list: Many;
  readonly length: Term;
  /** Path condition of the loop. */
  readonly guard: Term;
  readonly trail: Trail;
  /** Entry point of the loop, and the initial loop-carried values. */
  readonly entry: Point;
  readonly first: readonly Plain[];
  /** Totals before the loop. */
  readonly before: readonly Term[];
  /** The tools that it may call, and the fluents that they may set. */
  readonly tools: readonly Tool[];
  readonly fluents: readonly string[];
  readonly invariants: readonly Invariant[];
}

export function repeat(walk: Walk, command: ForCommand, list: Many, guard: Term, trail: Trail): void {
  const { at, totals } = walk;
  const { terms } = at;
  const key = trail.path().join(".");
  const first = walk.carried(command, "init");
  const entry = walk.point;
  const before = totals.now();
  const invariants = invariantsOf(walk, command, walk.invariants.get(key) ?? []);
  const tools = toolsIn(walk, command.body);
  const changed = before.flatMap(({ value }, place) =>
    totals.counts(place, tools) ? [{ place, first: value }] : [],
  );
  const fluents = [...new Set(tools.flatMap(({ sets }) => sets.map(({ fluent }) => fluent)))];
  walk.loops.set(key, { path: trail.path(), command, totals: changed, fluents });
  const length = at.lists.length(list);
  const loop: Loop = {
    command,
    list,
    length,
    guard,
    trail,
    entry,
    first,
    before,
    tools,
    fluents,
    invariants,
  };
  claim(walk, loop, guard, first, terms.int(0));
  const calls = iteration(walk, loop);
  at.place = trail;
  // Inside of another loop its calls are those of the iteration of that one.
  const repeated = entry.isInside ? calls : [{ again: () => again(walk, loop) }];
  walk.move({ ...entry, seen: [...entry.seen, ...repeated], number: entry.number + 1 });
  enter(walk, loop, { changed: guard, reached: guard, index: length });
}

/** @returns its calls, which stand for those of any iteration */
function iteration(walk: Walk, loop: Loop): readonly Call[] {
  const { at } = walk;
  const { terms, lists } = at;
  const { command, list, entry, length, trail } = loop;
  const index = terms.constant("Int", doubt);
  const chosen = terms.constant("Bool", doubt);
  at.assume(terms.implies(chosen, terms.atMost(terms.int(0), index)));
  at.assume(terms.implies(chosen, terms.not(terms.atMost(length, index))));
  const reached = terms.and(loop.guard, chosen);
  const loops = [...entry.loops, terms.int(entry.number), index];
  walk.move({ ...entry, seen: [], loops, number: 0, isInside: true, isAgain: walk.point.isAgain });
  const before = at.assumptions.length;
  enter(walk, loop, { changed: terms.true, reached, index });
  // SOUNDNESS: that the invariants hold here rests on the iterations before this one, which beside it need not have ended.
  if (command.parallel) walk.move({ hidden: [...entry.hidden, [before, at.assumptions.length]] });
  const { names } = walk.point;
  const element = lists.choose(list, reached, list.element);
  names.set(command.var, element);
  walk.move({ elements: [...entry.elements, element] });
  if (command.index !== undefined) names.set(command.index, plain(index));
  walk.body(command.body, reached, trail.at("body"));
  at.place = trail;
  walk.move({ hidden: entry.hidden });
  claim(walk, loop, reached, walk.carried(command, "next"), terms.sum([index, terms.int(1)]));
  // Those of loops in it are among them already.
  return walk.point.seen.flatMap((one) => ("again" in one ? one.again() : [one]));
}

/** Another iteration, aside from the walk. */
function again(walk: Walk, loop: Loop): readonly Call[] {
  const before = walk.point;
  const { place } = walk.at;
  walk.move({ isAgain: true });
  const calls = iteration(walk, loop);
  walk.point = before;
  walk.at.place = place;
  return calls;
}

/** A moment between two iterations, or after the last. */
interface Entered {
  /** The condition that earlier iterations may have changed something. */
  readonly changed: Term;
  /** Path condition of this point. */
  readonly reached: Term;
  readonly index: Term;
}

/** As the loop was met, but for what its iterations may have changed, of which the invariants are known. */
function enter(walk: Walk, loop: Loop, { changed, reached, index }: Entered): void {
  const { at, totals } = walk;
  const { terms } = at;
  const { command, entry, first, before, tools, invariants } = loop;
  const carried = command.carry.map(({ type }, i) => {
    const [value, was] = [at.any(type, doubt), first[i]];
    return was === undefined ? value : merge(terms, changed, value, was);
  });
  const names = new Map(entry.names);
  command.carry.forEach(({ name }, i) => {
    const value = carried[i];
    if (value !== undefined) names.set(name, value);
  });
  const counted = before.map((total, i) =>
    totals.counts(i, tools) ? terms.ite(changed, terms.constant(total.sort, doubt), total) : total,
  );
  const moment = momentOf(walk, command, { first, totals: before }, { carried, index, totals: counted });
  const state = [...entry.state, ...rewritten(walk, loop, changed, reached, moment)];
  walk.move({ names, state, counted: { from: walk.point.seen.length, totals: counted } });
  for (const one of invariants)
    if (one.fluent === undefined) at.assume(terms.implies(reached, one.at(moment)));
}

/** Every cell of every fluent that its tools may set; of each that is read the invariants are known. */
function rewritten(
  walk: Walk,
  { fluents, entry, invariants }: Loop,
  guard: Term,
  reached: Term,
  moment: Names,
): State {
  const { at, states } = walk;
  const { terms } = at;
  return fluents.map((fluent) => {
    // A name that nothing else has: that of the constant.
    const { text } = terms.constant("Bool", doubt);
    const { value } = states.fluent(fluent);
    const held = (key: Term) =>
      at.lists.once(`state ${text} ${key.text}`, () => {
        const now = at.unknown(`state ${text}`, [key], value, doubt);
        const cell = () => withCell(moment, fluent, key, now, states.read(entry.state, fluent, key));
        for (const one of invariants)
          if (one.fluent === fluent) at.assume(terms.implies(reached, one.at(cell())));
        return now;
      });
    return { fluent, guard, held };
  });
}

/** Each invariant at this moment; of cells, of one of each fluent of which nothing is known, and so of all. */
function claim(walk: Walk, loop: Loop, guard: Term, carried: readonly Plain[], index: Term): void {
  const { at, totals, states } = walk;
  const { command, first, before, entry, trail, invariants } = loop;
  const now = { carried, index, totals: totals.now() };
  let moment = momentOf(walk, command, { first, totals: before }, now);
  for (const fluent of new Set(invariants.flatMap((one) => one.fluent ?? []))) {
    const key = termOf(at.any(states.fluent(fluent).key, doubt));
    const held = states.read(walk.point.state, fluent, key);
    moment = withCell(moment, fluent, key, held, states.read(entry.state, fluent, key));
  }
  const goals = invariants.map((one) => at.terms.implies(guard, one.at(moment)));
  goals.forEach((goal, invariant) => {
    walk.claim({ kind: "invariant", path: trail.path(), goal, invariant });
  });
}

/** SOUNDNESS: of every call in it, and in loops in it, whether it is reached or not. */
function toolsIn(walk: Walk, body: readonly Command[]): readonly Tool[] {
  return [...commandsIn(body)].flatMap((command) =>
    command.kind === "call" ? (walk.checked.tools.get(command.tool) ?? []) : [],
  );
}
