/** Loops over lists that are not known before the run. Part of what must be trusted. */
import {
  type Checked,
  type Command,
  commandsIn,
  exprsIn,
  exprsOf,
  isLoop,
  isParallel,
  type LoopCommand,
  namesLeftBy,
  printExpr,
  type Tool,
  type Trail,
  type Type,
} from "../../ir/index.ts";
import { type AnyIteration, type Fact, type Iteration, NotFollowed } from "../symbolic/call-events.ts";
import { compile, compileBool, type Scene } from "../symbolic/compile.ts";
import { hasKey, valueAt } from "../symbolic/compile-map.ts";
import type { State } from "../symbolic/fluent-state.ts";
import { bothTouched, commutingIn, touchedIn } from "../symbolic/interference.ts";
import { beside, executionOf } from "../symbolic/parallel.ts";
import { agrees, merge } from "../symbolic/shape.ts";
import { type Point, type Progress, restore } from "../symbolic/symbolic-state.ts";
import { escaped, type OpaqueSymbolic, type Symbolic, scalar, sortOf } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { stateGuesses } from "./automaton-candidates.ts";
import type { CellGuess, CellMoment } from "./cell-candidates.ts";
import { cellGuessesFor, cellMomentOf, showCells, someState } from "./cell-invariants.ts";
import { constantsOf, inputConditions } from "./constants.ts";
import {
  assumeElements,
  type ElementGuess,
  elementGuessesOf,
  showElements,
  showFirstElements,
} from "./element-candidates.ts";
import {
  type Candidate,
  candidatesOf,
  isNumber,
  type Moment,
  type Named,
  type Start,
  type Subject,
} from "./invariant-candidates.ts";
import { type AtKey, entryAt, entryOf } from "./keyed-lists.ts";
import { type Guesses, layoutOf, noGuesses } from "./loop-candidates.ts";
import { partsOf } from "./scalar-parts.ts";
import { outerGuards, statedInvariants } from "./stated-invariants.ts";
import { speaksOfLengths, textPredicates } from "./text-predicates.ts";
import {
  type AllFolds,
  type Choice,
  choose,
  chooseThis,
  chosenFrom,
  elementType,
  type Fold,
  isIn,
  joined,
  lengthOf,
  standing,
  standsAt,
} from "./unbounded-list.ts";
import { apartIn, noneOf, rootOf, visitedAll, visitedNow, visitedSoFar } from "./visited.ts";

/** A loop where it was met. */
interface UnknownLoop {
  readonly command: LoopCommand;
  /** The same for the same loop in the same iteration of those around it. */
  readonly name: string;
  readonly list: OpaqueSymbolic;
  readonly length: Term;
  /** Path condition of the loop. */
  readonly guard: Term;
  /** Invariants at the start of every iteration, and after the last. */
  readonly invariants: readonly Candidate[];
  readonly cells: readonly CellGuess[];
  readonly elements: readonly ElementGuess[];
  readonly start: Start;
  /** Initial loop-carried values. */
  readonly first: readonly Symbolic[];
  /** Numbers that come about as the loop goes on. */
  readonly folds: readonly Fold[];
  readonly entry: Point;
  readonly names: ReadonlyMap<string, Symbolic>;
  readonly foldsBefore: AllFolds;
  /** Fluents that its calls may set. */
  readonly fluents: readonly string[];
  /** Presence of the elements that its own iterations have chosen. */
  readonly own: Set<Term>;
  /** The outermost loop around it, or itself. */
  readonly any: AnyIteration;
  /** Iterations that were walked for what they leave to the next one, or for what they added to a list. */
  readonly previous: Iteration[];
  /** Positions of its calls in the main walk. */
  readonly places: Map<string, number>;
  /** Walks the commands in it. */
  readonly body: (reached: Term) => void;
}

/**
 * One iteration is walked, which stands for any: what it starts from is unknown but for what is guessed to be true of
 * every iteration, and that is shown by induction. So is what comes after the last one.
 * SOUNDNESS: everything that is assumed of the iteration is assumed only if there is one.
 */
export function walkUnknownLoop(
  progress: Progress,
  command: LoopCommand,
  list: OpaqueSymbolic,
  guard: Term,
  trail: Trail,
  body: (reached: Term) => void,
): void {
  const { terms, checked, at: entry } = progress;
  if (progress.options.stop !== undefined)
    throw new NotFollowed("a run that stops in a loop over a list that is not known", trail.path());
  const mayStay = progress.options.ends !== true && [...commandsIn([command])].some(isWhile);
  progress.loops.push({ path: trail.path(), command });
  const { lists } = entry.scene;
  const carried = command.carry.map(({ init }) => compile(init, entry.scene));
  const fluents = writtenIn(command.body, checked);
  const none = noneOf(terms, elementType(list.type));
  const first = cellMomentOf(progress, command, terms.int(0), carried, carried, none);
  // SOUNDNESS: numbers that are found by going through the same list come about as the loop does.
  const met = { command, list, carried, folds: lists.folds(list), fluents, first };
  const { start, invariants, cells, elements, folds } = guessesFor(progress, met, trail);
  if (!progress.isAside) {
    for (const { id, at } of invariants) progress.show(id, terms.implies(guard, at(start, start)));
    // At the first iteration every cell is as it was before the loop.
    showCells(progress, cells, entry.state, entry.state, first, guard);
    showFirstElements(progress, elements, carried, guard);
  }
  const length = lengthOf(list, entry.scene);
  const isFirst = goesOnWith(progress, command, carried);
  // What does not hold before the first turn makes no turn.
  progress.assume(terms.implies(terms.and(guard, terms.not(isFirst)), terms.equal(length, terms.int(0))));
  if (progress.options.ends)
    progress.assume(terms.implies(terms.and(guard, isFirst), atLeastOne(progress, command, length)));
  const names = new Map(entry.scene.names);
  const position = progress.facts.length;
  const any: AnyIteration = entry.loop ?? {
    again: () => {
      const iteration = again(progress, loop);
      if (iteration === undefined) throw new NotFollowed("an iteration with other calls", trail.path());
      return iteration;
    },
    ofChosen: (most) =>
      chosenFrom(list, entry.scene)
        .filter(({ made }) => !loop.own.has(made))
        .slice(-most)
        .flatMap((chosen) => again(progress, loop, chosen) ?? []),
    first: () => again(progress, loop, "first"),
    previous: () => loop.previous.flatMap((one) => placedAs(loop, one) ?? []),
    seen: (iteration) => loop.previous.push(iteration),
  };
  const loop: UnknownLoop = {
    command,
    name: executionOf(trail, entry),
    list,
    length,
    guard,
    start,
    invariants,
    cells,
    elements,
    first: carried,
    folds,
    entry,
    names,
    foldsBefore: lists.allFolds,
    fluents,
    own: new Set(),
    previous: [],
    any,
    places: new Map(),
    body,
  };
  walkIteration(progress, loop);
  for (const fact of progress.facts.slice(position)) loop.places.set(placeOf(fact), fact.position);
  const number = progress.number();
  const { index, visited, results } =
    mayStay && command.kind === "for"
      ? cutOff(progress, loop, number)
      : {
          index: length,
          visited: visitedAll(entry.scene, list, guard, number),
          results: folds.map((fold) => fold.result),
        };
  enter(progress, loop, number, guard, index, visited);
  const after = command.carry.map(({ name }) => progress.named(name));
  const end = withFolds(momentOf(progress, command, index, after, list), results);
  for (const { at } of invariants) progress.assume(terms.implies(guard, at(end, start)));
  // SOUNDNESS: a loop that is not reached counts nothing.
  progress.totals.forEach((total, i) => {
    const before = entry.totals[i];
    if (before !== undefined && before !== total)
      progress.assume(terms.or(guard, terms.equal(total, before)));
  });
  const ended = mayStay ? terms.constant(`ended@${number}`, "Bool") : terms.true;
  if (command.kind === "while")
    progress.assume(terms.implies(terms.and(guard, ended), terms.not(goesOnWith(progress, command, after))));
  progress.move({ goesOn: terms.and(entry.goesOn, ended) });
  progress.interfere();
  progress.reach(progress.at.state, guard, false);
}

function isWhile({ kind }: Command): boolean {
  return kind === "while";
}

/** The list of the turns of a `while`: nothing is known of it, and its elements are nothing. */
export function turnsOf(progress: Progress): OpaqueSymbolic {
  const element = { kind: "record", fields: [] } as const;
  return { kind: "opaque", key: `turns@${progress.number()}`, type: { kind: "list", element } };
}

const nothing: Symbolic = { kind: "record", fields: new Map() };

/** Returns the condition that another iteration runs with these loop-carried values. */
export function goesOnWith(progress: Progress, command: LoopCommand, carried: readonly Symbolic[]): Term {
  if (command.kind === "for") return progress.terms.true;
  const scene = { ...progress.at.scene, names: new Map(progress.at.scene.names) };
  command.carry.forEach(({ name }, i) => {
    const value = carried[i];
    if (value !== undefined) scene.names.set(name, value);
  });
  return compileBool(command.condition, scene);
}

/** SOUNDNESS: only of loops that end: one that is cut off may be so before its first turn. */
function atLeastOne({ terms }: Progress, { kind }: LoopCommand, length: Term): Term {
  return kind === "while" ? terms.apply("<=", terms.int(1), length) : terms.true;
}

/**
 * The end of a loop in which a run may stay: after some iteration, whether the last one or not.
 * SOUNDNESS: what is true after every iteration is true there, and nothing that is true of the whole list.
 */
function cutOff(
  progress: Progress,
  { list, length, guard, folds }: UnknownLoop,
  number: number,
): { readonly index: Term; readonly visited: CellMoment["sets"]; readonly results: readonly Term[] } {
  const { terms } = progress;
  const index = terms.constant(`cut@${number}`, "Int");
  const inside = terms.and(terms.apply("<=", terms.int(0), index), terms.apply("<=", index, length));
  progress.assume(terms.implies(guard, inside));
  const results = folds.map(({ start }, i) => terms.constant(`fold@${i}@${number}`, start.sort));
  return { index, visited: visitedSoFar(terms, list, number), results };
}

/** A loop where it is met, before its first iteration. */
export interface MetLoop {
  readonly command: LoopCommand;
  /** Undefined where it is known element by element. */
  readonly list?: OpaqueSymbolic;
  readonly carried: readonly Symbolic[];
  /** Numbers that are found by going through the same list. */
  readonly folds: readonly Fold[];
  readonly fluents: readonly string[];
  readonly first: CellMoment;
}

/** Returns what may be true of every iteration, and the moment before the first one. */
export function guessesFor(
  progress: Progress,
  { command, list, carried, folds, fluents, first }: MetLoop,
  trail: Trail,
): Guesses & { readonly start: Start } {
  const { terms, checked, options, guesses } = progress;
  const { dropped } = options;
  const outside = new Map(progress.at.scene.names);
  const bare: Start = { ...momentOf(progress, command, terms.int(0), carried, list), outside };
  if (dropped === undefined) return { ...noGuesses, start: bare };
  const startWith = (some: readonly Fold[]) =>
    withFolds(
      bare,
      some.map((fold) => fold.start),
    );
  const name = trail.path().join(".");
  // SOUNDNESS: between two calls of an iteration others may set anything, so nothing is true of a cell from one to the next.
  // After the loop, though, what every order leaves alike is what the order of the list leaves.
  const commuting = commutingIn(command.body, checked);
  const isShared = (fluent: string) =>
    progress.at.others.has(fluent) ||
    (isParallel(command) && fluents.includes(fluent) && !commuting.has(fluent));
  const named = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
    all.map((one) => ({ ...one, id: `${name}: ${one.id}` })).filter(({ id }) => !dropped.has(id));
  const found = guesses.met(name, progress.isAside, folds, layoutOf(bare, first), (known) => {
    const start = startWith(known);
    const predicates = textPredicates(progress);
    const guessed = candidatesOf(terms, start, constantsOf(checked, terms), predicates);
    const ofStates = stateGuesses(terms, checked, start, () => inputsHold(progress));
    return {
      invariants: named([...statedInvariants(progress, command), ...ofStates, ...guessed]),
      cells: named(cellGuessesFor(progress, fluents, first)).filter(({ reads }) => !reads.some(isShared)),
      elements: named(elementGuessesOf(progress, command, constantsOf(checked, terms), predicates)),
    };
  });
  return { ...found, start: startWith(found.folds) };
}

/** The same moment with how far the folds over the loop's list have come. */
function withFolds<T extends Moment>(moment: T, folds: readonly Term[]): T {
  if (folds.length === 0) return moment;
  const named = folds.map((term, i): Named => ({ name: `fold ${i}`, term }));
  return { ...moment, numbers: [...moment.numbers, ...named] };
}

function inputsHold(progress: Progress): readonly Term[] {
  const scene = progress.formulaScene(() => {
    throw new TypeError("a condition on the inputs speaks of nothing else");
  });
  return inputConditions(progress.checked).map((expr) => compileBool(expr, scene));
}

/** Any iteration, the first one, one that there is if the condition holds, or that of a certain element. */
type Which = "any" | "first" | { readonly made: Term; readonly value?: Symbolic };

/** @returns what is carried into it, and on from it */
function walkIteration(
  progress: Progress,
  loop: UnknownLoop,
  which: Which = "any",
): { readonly index: Term; readonly carried: readonly Symbolic[]; readonly next: readonly Symbolic[] } {
  const { terms } = progress;
  const { command, guard, length, list, invariants, entry, folds } = loop;
  const number = progress.number();
  const isFirst = which === "first";
  const index = isFirst ? terms.int(0) : terms.constant(`index@${number}`, "Int");
  const inside = terms.and(terms.apply("<=", terms.int(0), index), terms.apply("<", index, length));
  const chosen = isFirst ? inside : which === "any" ? terms.constant(`in@${number}`, "Bool") : which.made;
  loop.own.add(chosen);
  progress.assume(terms.implies(chosen, inside));
  const reached = terms.and(guard, chosen);
  const visited = isFirst ? noneOf(terms, elementType(list.type)) : visitedSoFar(terms, list, number);
  if (isFirst) enterFirst(progress, loop);
  else enter(progress, loop, number, reached, index, visited);
  // No call of a run has such an index: it is that of any iteration.
  const turn = { loop: loop.name, index, ...beside(command) };
  const indices = [...entry.indices, -1 - number];
  progress.move({ indices, loop: loop.any, turns: [...entry.turns, turn] });
  const shown = progress.assumptions.length;
  const { scene } = progress.at;
  const carried = command.carry.map(({ name }) => progress.named(name));
  const held = folds.map(({ start }, i) =>
    isFirst ? start : terms.constant(`fold@${i}@${number}`, start.sort),
  );
  const now = withFolds(momentOf(progress, command, index, carried, list), held);
  for (const { at } of invariants) progress.assume(terms.implies(reached, at(now, loop.start)));
  progress.assume(terms.implies(reached, goesOnWith(progress, command, carried)));
  // SOUNDNESS: what is true at an iteration rests on those before it having ended, which beside others they need not have.
  if (isParallel(command))
    progress.move({
      others: bothTouched(entry.others, touchedIn(command.body, progress.checked)),
      hidden: [...entry.hidden, [shown, progress.assumptions.length]],
    });
  const [began, wrote] = [progress.at.state, progress.writes.length];
  const { element, root } =
    command.kind === "while"
      ? { element: nothing, root: undefined }
      : typeof which === "object" && which.value !== undefined
        ? {
            element: chooseThis(list, { made: chosen, value: which.value }, scene),
            root: rootOf(list) === list ? which.value : undefined,
          }
        : elementAt(list, index, { name: `any ${number}`, made: chosen }, scene);
  progress.move({ turns: [...entry.turns, { ...turn, element }] });
  if (command.kind === "for") {
    scene.names.set(command.var, element);
    standsAt(list, index, element, scene);
    const apart = apartIn(list, terms);
    const own = root && apart?.of(root);
    if (apart !== undefined && own !== undefined)
      progress.assume(terms.implies(chosen, terms.equal(apart.place(own), index)));
  }
  if (command.index !== undefined) scene.names.set(command.index, scalar(index));
  loop.body(reached);
  progress.move({ others: entry.others, hidden: entry.hidden });
  const next = command.carry.map((carry) => compile(carry.next, scene));
  if (progress.isAside) return { index, carried, next };
  const later = terms.apply("+", index, terms.int(1));
  const folded = folds.map((fold, i) => fold.next(held[i] ?? fold.start, element));
  const end = withFolds(momentOf(progress, command, later, next, list), folded);
  for (const { id, at } of invariants) progress.show(id, terms.implies(reached, at(end, loop.start)));
  const cells = cellMomentOf(progress, command, later, loop.first, next, visitedNow(terms, visited, element));
  const state = isParallel(command) ? inListOrder(progress, loop.fluents, began, wrote) : progress.at.state;
  showCells(progress, loop.cells, entry.state, state, cells, reached);
  showElements(progress, loop.elements, carried, next, reached);
  return { index, carried, next };
}

interface Element {
  readonly element: Symbolic;
  /** The element of the list that tells elements apart. */
  readonly root: Symbolic;
}

/**
 * The element of an iteration: that of its position, where it is known which that is.
 * SOUNDNESS: what stands at a position of a list that was made element by element was made of what stands there.
 */
function elementAt(list: OpaqueSymbolic, index: Term, choice: Choice, scene: Scene): Element {
  const value = standing(list, index);
  if (value !== undefined) {
    const element = chooseThis(list, { made: choice.made, value }, scene);
    return { element, root: element };
  }
  const { source } = list;
  if (source?.kind === "map" && source.of.kind === "opaque" && rootOf(list) !== list) {
    const { element, root } = elementAt(source.of, index, choice, scene);
    const own = { made: choice.made, value: source.apply(element) };
    scene.lists.applyRules(list, own, scene.constrain);
    scene.lists.addChosen(list, own);
    return { element: own.value, root };
  }
  const element = choose(list, choice, scene);
  return { element, root: element };
}

/** The state after what was written since, if each iteration had come after the one before it. */
export function inListOrder(
  progress: Progress,
  fluents: readonly string[],
  began: State,
  wrote: number,
): State {
  const writes = progress.writes.slice(wrote);
  let state = began;
  for (const fluent of fluents) {
    const own = writes.filter((one) => one.fluent === fluent);
    const known = own.flatMap(({ write }) => write ?? []);
    state =
      known.length < own.length
        ? state.forgotten(fluent, `iteration-${progress.number()}`, () => {})
        : known.reduce((before, write) => before.after(fluent, write), state);
  }
  return state;
}

/** As the loop was met, but for what its iterations may have changed, of which nothing is known. */
function enter(
  progress: Progress,
  loop: UnknownLoop,
  number: number,
  reached: Term,
  index: Term,
  visited: CellMoment["sets"],
): void {
  const { entry, names, command, fluents, cells, first } = loop;
  const { scene } = entry;
  restore(scene.names, names);
  scene.lists.backToFolds(loop.foldsBefore);
  const carried = command.carry.map(({ name, type }, i) => {
    const value = progress.fresh(`carry@${escaped(name)}@${number}`, type);
    if (value.kind !== "opaque") return value;
    const list = assumeElements(progress, loop.elements, i, value, reached);
    return collected(progress, loop, i, list, index);
  });
  const before = previously(progress, loop, index, reached, [...carried]);
  carried.forEach((value, i) => {
    carried[i] = replaced(progress, value, loop.first[i], index, () => before()?.[i]);
  });
  const moment = cellMomentOf(progress, command, index, first, carried, visited);
  for (const fluent of fluents) progress.wrote(fluent, undefined);
  const state = someState(progress, entry.state, fluents, cells, moment, number, reached);
  // SOUNDNESS: what no call in the loop can add to is what it was.
  const totals = progress.ghosts.map(({ some }, i) =>
    isChanged(progress, command, i) ? some(number) : entry.totals[i],
  );
  progress.move({ ...entry, state, totals: totals.filter((total) => total !== undefined) });
  command.carry.forEach(({ name }, i) => {
    const value = carried[i];
    if (value !== undefined) scene.names.set(name, value);
  });
}

/** As the loop was met. */
function enterFirst(progress: Progress, { entry, names, foldsBefore, command, first }: UnknownLoop): void {
  const { scene } = entry;
  restore(scene.names, names);
  scene.lists.backToFolds(foldsBefore);
  progress.move(entry);
  command.carry.forEach(({ name }, i) => {
    const value = first[i];
    if (value !== undefined) scene.names.set(name, value);
  });
}

/** LIMIT: of iterations in iterations, where one takes an element from what others added. */
const deepest = 2;
/** LIMIT: of iterations before iterations. */
const deepestBefore = 1;

/**
 * A list that the loop adds to: its elements are those that it had, and those that an iteration before has added.
 * SOUNDNESS: if one that was added is chosen, there is the iteration that added it.
 */
function collected(
  progress: Progress,
  loop: UnknownLoop,
  place: number,
  list: OpaqueSymbolic,
  before: Term,
): OpaqueSymbolic {
  const first = loop.first[place];
  if (list.type.kind !== "list" || first === undefined) return list;
  const element = (made: Term): Symbolic | undefined =>
    progress.nested(deepest, () => {
      const { terms } = progress;
      const { result, facts, stages } = progress.aside(() => {
        const { index, carried, next } = walkIteration(progress, loop, { made });
        progress.assume(terms.implies(made, terms.apply("<", index, before)));
        const [self, grown] = [carried[place], next[place]];
        const added = self && grown && addedTo(self, grown, terms);
        if (added === undefined) return undefined;
        const { scene } = progress.at;
        return choose(joined(terms, added, list.type), { name: `added ${progress.number()}`, made }, scene);
      });
      loop.any.seen({ facts, stages });
      return result;
    });
  return { ...list, source: { kind: "collected", first, element } };
}

/**
 * The values that the iteration before leaves, if there is one: it is walked when they are asked for, and once.
 * SOUNDNESS: what a loop carries into an iteration is what the one before it has left.
 */
function previously(
  progress: Progress,
  loop: UnknownLoop,
  index: Term,
  reached: Term,
  carried: readonly Symbolic[],
): () => readonly Symbolic[] | undefined {
  const { terms } = progress;
  let found: readonly Symbolic[] | undefined;
  let isFound = isParallel(loop.command);
  return () => {
    if (isFound) return found;
    isFound = true;
    found = progress.nested(deepestBefore, () => {
      const made = terms.and(reached, terms.apply("<=", terms.int(1), index));
      const { result, facts, stages } = progress.aside(() => {
        const { index: own, next } = walkIteration(progress, loop, { made });
        progress.assume(terms.implies(made, terms.equal(own, terms.apply("-", index, terms.int(1)))));
        carried.forEach((value, i) => {
          const left = next[i];
          if (left !== undefined) progress.assume(terms.implies(made, agrees(terms, value, left)));
        });
        return next;
      });
      loop.any.seen({ facts, stages });
      return result;
    });
    return found;
  };
}

/** The same value, whose lists are known to be those of the iteration before. */
function replaced(
  progress: Progress,
  value: Symbolic,
  first: Symbolic | undefined,
  index: Term,
  next: () => Symbolic | undefined,
): Symbolic {
  const { terms } = progress;
  if (first === undefined) return value;
  if (value.kind === "record" && first.kind === "record") {
    const fields = [...value.fields].map(([name, field]) => {
      const of = replaced(progress, field.value, first.fields.get(name)?.value, index, () => {
        const later = next();
        return later?.kind === "record" ? later.fields.get(name)?.value : undefined;
      });
      return [name, { ...field, value: of }] as const;
    });
    return { kind: "record", fields: new Map(fields) };
  }
  if (value.kind === "option" && value.value !== undefined && first.kind === "option") {
    // A value that is absent before the loop has no list.
    const before = first.value ?? emptyLike(value.value);
    const of = replaced(progress, value.value, before, index, () => {
      const later = next();
      return later?.kind === "option" ? later.value : undefined;
    });
    return { ...value, value: of };
  }
  if (value.kind !== "opaque" || value.type.kind !== "list" || value.source !== undefined) return value;
  if (first.kind !== "list" && first.kind !== "opaque") return value;
  const isFirst = terms.equal(index, terms.int(0));
  return { ...value, source: { kind: "previous", isFirst, first, next } };
}

function emptyLike(value: Symbolic): Symbolic {
  return value.kind === "opaque" && value.type.kind === "list" ? { kind: "list", items: [] } : value;
}

/** Returns the elements appended to a list, if it is known to be an extension of the other. */
function addedTo(self: Symbolic, grown: Symbolic, terms: Terms): readonly Symbolic[] | undefined {
  if (grown.kind !== "opaque" || self.kind !== "opaque") return undefined;
  if (grown.key === self.key) return [];
  const { source } = grown;
  if (source?.kind === "joined") {
    const [head, ...tail] = source.parts;
    const before = head && addedTo(self, head, terms);
    return before && [...before, ...tail];
  }
  if (source?.kind === "collected") {
    // A loop in the loop has added to it.
    const before = addedTo(self, source.first, terms);
    const key = terms.brief(`added(${grown.key})`);
    const own: OpaqueSymbolic = { ...grown, key, source: { ...source, first: { kind: "list", items: [] } } };
    return before && [...before, own];
  }
  if (source?.kind !== "choice") return undefined;
  const { condition, yes, no } = source;
  const [some, others] = [addedTo(self, yes, terms), addedTo(self, no, terms)];
  if (some === undefined || others === undefined) return undefined;
  const only = (when: Term, list: Symbolic) => merge(terms, when, list, { kind: "list", items: [] });
  return [
    ...some.map((list) => only(condition, list)),
    ...others.map((list) => only(terms.not(condition), list)),
  ];
}

/**
 * Walks an iteration again, for one more thing that is said of the calls.
 * SOUNDNESS: its calls take the places of the same calls in the main walk, by which calls are ordered. Undefined where it
 * has a call that the main walk has not, as where a list is known to it alone.
 */
function again(progress: Progress, loop: UnknownLoop, which: Which = "any"): Iteration | undefined {
  return placedAs(
    loop,
    progress.aside(() => walkIteration(progress, loop, which)),
  );
}

function placedAs(loop: UnknownLoop, { facts, stages }: Iteration): Iteration | undefined {
  const placed: Fact[] = [];
  for (const fact of facts) {
    const position = loop.places.get(placeOf(fact));
    if (position === undefined) return undefined;
    placed.push({ ...fact, position });
  }
  return { facts: placed, stages };
}

/** The command of a call, and the turns of the unrolled loops around it. */
function placeOf({ id, indices }: Fact): string {
  return `${id}@${indices.map((index) => (index < 0 ? "*" : index)).join("-")}`;
}

/**
 * Returns the loop's state at one program point, always in the same order: loop-carried values, lengths of its lists,
 * membership of counted keys, and totals of its calls.
 */
export function momentOf(
  progress: Progress,
  command: LoopCommand,
  index: Term,
  carried: readonly Symbolic[],
  list?: OpaqueSymbolic,
): Moment {
  const { terms, ghosts, totals } = progress;
  const apart = list && apartIn(list, terms);
  const { scene } = progress.at;
  const numbers: Named[] = [];
  const flags: Named[] = [];
  const texts: Named[] = [];
  const subjects: Subject[] = [];
  const keys = new Set(ghosts.flatMap(({ key }) => key ?? []));
  const hasLengths = speaksOfLengths(progress.checked);
  command.carry.forEach(({ name, type }, i) => {
    const value = carried[i];
    if (value?.kind === "scalar") {
      const { term } = value;
      const named = type.kind === "enum" ? { name, term, values: type.values } : { name, term };
      (isNumber(term.sort) ? numbers : term.sort === "Bool" ? flags : texts).push(named);
      if (type.kind === "string") {
        subjects.push({ name, term, present: terms.true });
        if (hasLengths) numbers.push({ name: `length of ${name}`, term: terms.apply("length", term) });
      }
    } else if (value?.kind === "opaque" && type.kind === "map") {
      const { value: held } = type;
      for (const key of keys) {
        if (key.sort !== "String") continue;
        const at = valueAt(value, scalar(key), held, scene);
        flags.push({ name: `${name} has ${key.id}`, term: at.present });
        for (const part of partsOf(terms, held, at.value, at.present))
          if (isNumber(part.term.sort))
            numbers.push({ name: `${name} at ${key.id}${part.name}`, term: part.term });
      }
      for (const key of keysLookedUp(command)) {
        const at = scene.names.get(key);
        const found = at?.kind === "scalar" ? hasKey(value, at, scene) : undefined;
        if (found !== undefined) flags.push({ name: `${name} has ${key}`, term: found });
      }
    } else if (value?.kind === "option" || value?.kind === "record") {
      if (value.kind === "option") flags.push({ name, term: value.present });
      // Obligations of the program seldom speak of them, and each takes work.
      const parts = progress.checked.document.guarantees.length === 0 ? [] : partsOf(terms, type, value);
      for (const part of parts) {
        const { term } = part;
        const said = { ...part, name: `${name}${part.name}` };
        if (isNumber(term.sort)) numbers.push(said);
        else if (term.sort === "Bool") flags.push(said);
        else subjects.push(said);
      }
    } else if (value !== undefined && type.kind === "list") {
      numbers.push({ name, term: lengthOf(value, scene) });
      const entry = entryOf(type.element);
      for (const key of keys)
        if (entry?.sort === key.sort) {
          const at = entryAt(value, key, entry.value, scene) ?? unknownEntry(progress, entry.value);
          flags.push({ name: `${name} has key ${key.id}`, term: at.present });
          for (const part of partsOf(terms, entry.value, at.value, at.present))
            if (isNumber(part.term.sort))
              numbers.push({ name: `${name} at ${key.id}${part.name}`, term: part.term });
        }
      for (const key of keys)
        if (sortOf(type.element) === key.sort)
          flags.push({ name: `${name} has ${key.id}`, term: isIn(value, scalar(key), scene) });
    }
  });
  for (const key of keys) {
    if (isNumber(key.sort)) flags.push({ name: `passed ${key.id}`, term: terms.apply("<", key, index) });
    if (apart?.sort === key.sort)
      flags.push({ name: `met ${key.id}`, term: terms.apply("<", apart.place(key), index) });
  }
  for (const guard of outerGuards(command))
    flags.push({ name: printExpr(guard), term: compileBool(guard, { ...scene, command: undefined }) });
  const states = new Map<string, Term[]>();
  totals.forEach((term, i) => {
    const { name, automaton } = ghosts[i] ?? {};
    if (!isChanged(progress, command, i)) return;
    if (automaton === undefined) numbers.push({ name: `total ${name}`, term });
    else states.set(automaton, [...(states.get(automaton) ?? []), term]);
  });
  return { index, numbers, flags, texts, subjects, states: [...states.values()], carried };
}

/** Any value at a key, of a list that is not followed: nothing is shown of it. */
function unknownEntry(progress: Progress, type: Type): AtKey {
  const number = progress.number();
  const present = progress.terms.constant(`unknown entry@${number}?`, "Bool");
  return { present, value: progress.fresh(`unknown entry@${number}`, type) };
}

const lookedUp = new WeakMap<LoopCommand, readonly string[]>();

/** Names from outside of the loop by which its commands look something up in a map. */
function keysLookedUp(command: LoopCommand): readonly string[] {
  const known = lookedUp.get(command);
  if (known !== undefined) return known;
  const own = new Set<string>();
  for (const inner of commandsIn([command])) {
    for (const name of namesLeftBy(inner)) own.add(name);
    if (inner.kind === "for") own.add(inner.var);
    if (isLoop(inner) && inner.index !== undefined) own.add(inner.index);
  }
  const found = new Set<string>();
  for (const expr of exprsIn(...[...commandsIn(command.body)].flatMap(exprsOf))) {
    if (expr.kind !== "op" || (expr.op !== "mapGet" && expr.op !== "mapHas")) continue;
    const [, key] = expr.args;
    if (key?.kind === "var" && !own.has(key.name)) found.add(key.name);
  }
  const keys = [...found];
  lookedUp.set(command, keys);
  return keys;
}

/** Returns true if a call in the loop can change the total. */
function isChanged({ ghosts, checked }: Progress, { body }: LoopCommand, i: number): boolean {
  return callsIn(body, checked).some((tool) => ghosts[i]?.counts(tool) === true);
}

/** SOUNDNESS: of every call in the loop, and in loops in it, whether it is reached or not. */
export function writtenIn(body: readonly Command[], checked: Checked): readonly string[] {
  return [...new Set(callsIn(body, checked).flatMap(({ sets }) => sets.map(({ fluent }) => fluent)))];
}

export function callsIn(body: readonly Command[], checked: Checked): readonly Tool[] {
  return [...commandsIn(body)].flatMap((command) =>
    command.kind === "call" ? (checked.tools.get(command.tool) ?? []) : [],
  );
}
