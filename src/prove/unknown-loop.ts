/** Loops over lists that are not known before the run. Part of what must be trusted. */
import type { Checked } from "../ir/check/index.ts";
import type { Trail } from "../ir/diagnostic.ts";
import type { Command, ForCommand, Tool } from "../ir/document.ts";
import type { Num } from "../ir/number.ts";
import { valueKey } from "../ir/value.ts";
import { anyCell, type CellGuess, cellAt, cellGuessesOf } from "./cell-guesses.ts";
import { compile } from "./compile.ts";
import type { Terms } from "./factory.ts";
import { type AnyIteration, type Iteration, NotFollowed } from "./facts.ts";
import { type Candidate, candidatesOf, isNumber, type Moment } from "./invariants.ts";
import type { Point, Progress } from "./progress.ts";
import type { State } from "./state.ts";
import { escaped, type OpaqueSymbolic, type Symbolic, scalar, sortOf } from "./symbolic.ts";
import type { Term } from "./term.ts";
import { choose, isIn, lengthOf } from "./unknown-list.ts";

/** A loop where it was met. */
interface UnknownLoop {
  readonly command: ForCommand;
  readonly list: OpaqueSymbolic;
  readonly length: Term;
  /** Whether it is reached. */
  readonly guard: Term;
  /** What is taken to be true at the beginning of every iteration, and after the last. */
  readonly invariants: readonly Candidate[];
  readonly cells: readonly CellGuess[];
  readonly entry: Point;
  readonly names: ReadonlyMap<string, Symbolic>;
  /** Fluents that its calls may set. */
  readonly fluents: readonly string[];
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
  command: ForCommand,
  list: OpaqueSymbolic,
  guard: Term,
  trail: Trail,
  body: (reached: Term) => void,
): void {
  const { terms, checked, at: entry } = progress;
  if (progress.options.stop !== undefined)
    throw new NotFollowed("a run that stops in a loop over a list that is not known", trail.path());
  progress.hasUnknownLoops = true;
  const carried = command.carry.map(({ init }) => compile(init, entry.scene));
  const start = momentOf(progress, command, terms.int(0), carried);
  const invariants = guessesFor(progress, start, trail);
  for (const { id, at } of invariants) progress.show(id, terms.implies(guard, at(start)));
  const length = lengthOf(list, entry.scene);
  const fluents = writtenIn(command.body, checked);
  const names = new Map(entry.scene.names);
  const cells = cellGuessesFor(progress, fluents, trail);
  // At the first iteration every cell is as it was before the loop.
  showCells(progress, cells, entry.state, entry.state, guard);
  const loop = { command, list, length, guard, invariants, cells, entry, names, fluents, body };
  const position = progress.facts.length;
  const any: AnyIteration = entry.loop ?? { again: () => again(progress, loop, any, position) };
  walkIteration(progress, loop, any);
  enter(progress, loop, progress.number(), guard);
  const after = command.carry.map(({ name }) => progress.named(name));
  const end = momentOf(progress, command, length, after);
  for (const { at } of invariants) progress.assume(terms.implies(guard, at(end)));
  progress.reach(progress.at.state, guard);
}

/** What may be true of every iteration. */
export function guessesFor(
  { terms, checked, options }: Progress,
  start: Moment,
  trail: Trail,
): readonly Candidate[] {
  const { dropped } = options;
  if (dropped === undefined) return [];
  const name = trail.path().join(".");
  return candidatesOf(terms, start, constantsOf(checked, terms))
    .map((one) => ({ ...one, id: `${name}: ${one.id}` }))
    .filter(({ id }) => !dropped.has(id));
}

/** What may be true of every cell at every iteration. */
export function cellGuessesFor(
  progress: Progress,
  fluents: readonly string[],
  trail: Trail,
): readonly CellGuess[] {
  const { terms, checked, options } = progress;
  const { dropped } = options;
  if (dropped === undefined) return [];
  const name = trail.path().join(".");
  const literals = [...constantsOf(checked, terms), ...textsOf(checked, terms)];
  return fluents
    .flatMap((fluent) => {
      const declared = checked.fluents.get(fluent);
      if (declared === undefined) return [];
      const sort = sortOf(declared.key);
      const keys = [...inputsOf(progress), ...literals].filter((term) => term.sort === sort);
      return cellGuessesOf(terms, declared, literals, keys.slice(0, mostKeys));
    })
    .map((one) => ({ ...one, id: `${name}: ${one.id}` }))
    .filter(({ id }) => !dropped.has(id));
}

/** LIMIT: of cells that are told from all others. */
const mostKeys = 4;

function inputsOf(progress: Progress): readonly Term[] {
  return progress.checked.document.program.inputs.flatMap(({ name }) => {
    const value = progress.named(name);
    return value.kind === "scalar" ? [value.term] : [];
  });
}

export function showCells(
  progress: Progress,
  cells: readonly CellGuess[],
  before: State,
  now: State,
  reached: Term,
): void {
  const { terms, checked } = progress;
  for (const { id, fluent, at } of cells) {
    const key = anyCell(terms, checked, fluent);
    const [first, held] = [cellAt(before, fluent, key), cellAt(now, fluent, key)];
    if (first !== undefined && held !== undefined)
      progress.show(id, terms.implies(reached, at(first, held, key)));
  }
}

function walkIteration(progress: Progress, loop: UnknownLoop, any: AnyIteration): void {
  const { terms } = progress;
  const { command, guard, length, list, invariants, entry } = loop;
  const number = progress.number();
  const chosen = terms.constant(`in@${number}`, "Bool");
  const index = terms.constant(`index@${number}`, "Int");
  const inside = terms.and(terms.apply("<=", terms.int(0), index), terms.apply("<", index, length));
  progress.assume(terms.implies(chosen, inside));
  const reached = terms.and(guard, chosen);
  enter(progress, loop, number, reached);
  // No call of a run has such an index: it is that of any iteration.
  progress.move({ indices: [...entry.indices, -1 - number], loop: any });
  const { scene } = progress.at;
  const carried = command.carry.map(({ name }) => progress.named(name));
  const start = momentOf(progress, command, index, carried);
  for (const { at } of invariants) progress.assume(terms.implies(reached, at(start)));
  scene.names.set(command.var, choose(list, { name: String(number), made: chosen }, scene));
  if (command.index !== undefined) scene.names.set(command.index, scalar(index));
  loop.body(reached);
  const next = command.carry.map((carry) => compile(carry.next, scene));
  const end = momentOf(progress, command, terms.apply("+", index, terms.int(1)), next);
  for (const { id, at } of invariants) progress.show(id, terms.implies(reached, at(end)));
  showCells(progress, loop.cells, entry.state, progress.at.state, reached);
}

/** As the loop was met, but for what its iterations may have changed, of which nothing is known. */
function enter(
  progress: Progress,
  { entry, names, command, fluents, cells }: UnknownLoop,
  number: number,
  reached: Term,
): void {
  const { terms } = progress;
  const { loop, indices, scene } = entry;
  const state = fluents.reduce(
    (held, fluent) =>
      held.forgotten(fluent, String(number), (key, value) => {
        const first = cellAt(entry.state, fluent, key);
        if (first === undefined || value.kind !== "scalar") return;
        for (const guess of cells)
          if (guess.fluent === fluent)
            progress.assume(terms.implies(reached, guess.at(first, value.term, key)));
      }),
    entry.state,
  );
  // SOUNDNESS: what no call in the loop can add to is what it was.
  const totals = progress.ghosts.map(({ sort }, i) =>
    isChanged(progress, command, i) ? terms.constant(`ghost@${i}@${number}`, sort) : entry.totals[i],
  );
  progress.move({ state, loop, indices, totals: totals.filter((total) => total !== undefined) });
  restore(scene.names, names);
  for (const { name, type } of command.carry)
    scene.names.set(name, progress.fresh(`carry@${escaped(name)}@${number}`, type));
}

function restore(names: Map<string, Symbolic>, before: ReadonlyMap<string, Symbolic>): void {
  names.clear();
  for (const [name, value] of before) names.set(name, value);
}

/** Any iteration again, for one more thing that is said of the calls. */
function again(progress: Progress, loop: UnknownLoop, any: AnyIteration, position: number): Iteration {
  const { facts, states, stages, obligations, steps, at } = progress;
  const lengths = [facts, states, obligations, steps, stages].map((all) => all.length);
  const names = new Map(at.scene.names);
  try {
    walkIteration(progress, loop, any);
    const made = facts.slice(lengths[0]);
    return {
      facts: made.map((fact, i) => ({ ...fact, position: position + i })),
      stages: stages.slice(lengths[4]),
    };
  } finally {
    // SOUNDNESS: also where it could not be followed: what was found of half an iteration is no part of the walk.
    [facts, states, obligations, steps, stages].forEach((all, i) => {
      all.splice(lengths[i] ?? 0);
    });
    progress.move(at);
    restore(at.scene.names, names);
  }
}

/**
 * What the loop holds at one moment, always in the same order: what it carries, how long its lists are, whether they
 * contain the keys that are counted, what was counted and summed of the calls in it.
 */
export function momentOf(
  progress: Progress,
  command: ForCommand,
  index: Term,
  carried: readonly Symbolic[],
): Moment {
  const { terms, ghosts, totals } = progress;
  const { scene } = progress.at;
  const scalars = carried.flatMap((value) => (value.kind === "scalar" ? [value.term] : []));
  const present = carried.flatMap((value) => (value.kind === "option" ? [value.present] : []));
  const lists = carried.filter(({ kind }) => kind === "list" || kind === "opaque");
  const types = command.carry.flatMap(({ type }) => (type.kind === "list" ? [type.element] : []));
  const keys = new Set(ghosts.flatMap(({ key }) => key ?? []));
  const keyed = [...keys].flatMap((key) => [
    ...lists.flatMap((list, i) => {
      const element = types[i];
      return element !== undefined && sortOf(element) === key.sort ? [isIn(list, scalar(key), scene)] : [];
    }),
    ...(isNumber(key.sort) ? [terms.apply("<", key, index)] : []),
  ]);
  return {
    index,
    numbers: [
      ...scalars.filter(({ sort }) => isNumber(sort)),
      ...lists.filter((_, i) => types[i] !== undefined).map((list) => lengthOf(list, scene)),
      ...totals.filter((_, i) => isChanged(progress, command, i)),
    ],
    flags: [...scalars.filter(({ sort }) => sort === "Bool"), ...present, ...keyed],
    texts: scalars.filter(({ sort }) => sort === "String"),
  };
}

/** Whether a call in the loop can add to what is counted. */
function isChanged({ ghosts, checked }: Progress, { body }: ForCommand, i: number): boolean {
  return callsIn(body, checked).some((tool) => ghosts[i]?.counts(tool) === true);
}

/** SOUNDNESS: of every call in the loop, and in loops in it, whether it is reached or not. */
export function writtenIn(body: readonly Command[], checked: Checked): readonly string[] {
  return [...new Set(callsIn(body, checked).flatMap(({ sets }) => sets.map(({ fluent }) => fluent)))];
}

function callsIn(body: readonly Command[], checked: Checked): readonly Tool[] {
  return body.flatMap((command) => {
    if (command.kind === "for") return callsIn(command.body, checked);
    return command.kind === "call" ? (checked.tools.get(command.tool) ?? []) : [];
  });
}

/** LIMIT: of numbers that guesses are made with. */
const mostConstants = 12;
const constants = new WeakMap<object, readonly Num[]>();

/** Numbers that the document names, for guesses: those of the guarantees first. */
export function constantsOf({ document }: Checked, terms: Terms): readonly Term[] {
  let found = constants.get(document);
  if (found === undefined) {
    const { guarantees, program, tools } = document;
    const plain = new Map<string, Num>([0n, 1n].map((value) => [valueKey(value), value]));
    found = [...numbersIn([guarantees, program, tools], plain).values()].slice(0, mostConstants);
    constants.set(document, found);
  }
  return found.map((value) => terms.literal(value, "Real"));
}

const mostTexts = 6;
const texts = new WeakMap<object, readonly string[]>();

/** Texts that the tools and the guarantees name, for guesses about cells. */
function textsOf({ document }: Checked, terms: Terms): readonly Term[] {
  let found = texts.get(document);
  if (found === undefined) {
    found = [...textsIn([document.tools, document.guarantees], new Set())].slice(0, mostTexts);
    texts.set(document, found);
  }
  return found.map((value) => terms.literal(value, "String"));
}

function textsIn(node: unknown, found: Set<string>): Set<string> {
  if (typeof node !== "object" || node === null) return found;
  if ("kind" in node && node.kind === "string" && "value" in node) found.add(String(node.value));
  else for (const child of Object.values(node)) textsIn(child, found);
  return found;
}

function numbersIn(node: unknown, found: Map<string, Num>): Map<string, Num> {
  if (typeof node !== "object" || node === null) return found;
  if ("kind" in node && node.kind === "number" && "value" in node) {
    // SAFETY: the node of a number holds one.
    const value = node.value as Num;
    found.set(valueKey(value), value);
  } else for (const child of Object.values(node)) numbersIn(child, found);
  return found;
}
