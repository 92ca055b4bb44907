/** Walks a program once and yields its facts, assumptions and obligations. Part of what must be trusted. */
import {
  type CallCommand,
  type Checked,
  type Command,
  type Expr,
  type ForCommand,
  isParallel,
  type LoopCommand,
  noOtherKind,
  type ParallelCommand,
  Trail,
  type WhileCommand,
} from "../../ir/index.ts";
import { cellMomentOf, showCells } from "../loops/cell-invariants.ts";
import {
  goesOnWith,
  guessesFor,
  inListOrder,
  momentOf,
  turnsOf,
  walkUnknownLoop,
  writtenIn,
} from "../loops/loop-induction.ts";
import { lengthOf } from "../loops/unbounded-list.ts";
import { noneOf, visitedNow } from "../loops/visited.ts";
import { mostStepsAtOnce } from "../terms/effort.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { type Fact, NotFollowed } from "./call-events.ts";
import { compile, compileBool, compileRecord, typeOf } from "./compile.ts";
import { touchedIn } from "./interference.ts";
import { makeCall, makeLastCall } from "./make-call.ts";
import { isSingle, Parallel } from "./parallel.ts";
import { merge } from "./shape.ts";
import { Progress, reasonName, type StoppedWalk, type WalkOptions } from "./symbolic-state.ts";
import {
  type ListSymbolic,
  type OpaqueSymbolic,
  type ShortLength,
  type Symbolic,
  scalar,
} from "./symbolic-value.ts";

/** LIMIT: loops over known lists are unrolled; this many calls are enough for any program a person approves. */
const maxFacts = 20_000;
/** LIMIT: of calls where lists are made short, which is only for finding a run. */
const maxShortFacts = 250;

/** Throws `NotFollowed` for what it does not follow. */
export function walk(checked: Checked, terms: Terms, options: WalkOptions = {}): Progress {
  const progress = new Progress(checked, terms, options);
  const { body } = checked.document.program;
  terms.effort.within(mostStepsAtOnce, () =>
    walkBody(progress, body, terms.true, Trail.root.at("program", "body")),
  );
  progress.guesses.close();
  return progress;
}

/**
 * The walk of the same runs, stopped after that call, whether it failed or not; -1 before the first.
 * INVARIANT: what was found before the call does not depend on where the run stops.
 */
export function walkUntil(whole: Progress, position: number): StoppedWalk {
  const known = whole.stopped.get(position);
  if (known !== undefined) return known;
  const progress = whole.before(position, { stop: whole.terms.int(position) });
  const last = whole.facts[position];
  const { numbers } = progress;
  if (last !== undefined) makeLastCall(progress, whole, last);
  const isNumbered = progress.numbers > numbers;
  const stopped: StoppedWalk = { walk: progress, own: progress.assumptions.slice(), isNumbered };
  whole.stopped.set(position, stopped);
  return stopped;
}

function walkBody(progress: Progress, commands: readonly Command[], guard: Term, trail: Trail): void {
  let i = 0;
  for (const command of commands) {
    // What comes after the last call makes no difference.
    if (progress.inTime() === progress.terms.false || isPast(progress)) return;
    walkCommand(progress, command, guard, trail.at(i++));
  }
}

function isPast({ options: { last }, at: { lanes }, facts }: Progress): boolean {
  return last !== undefined && lanes.length === 0 && facts.length > last;
}

function walkCommand(progress: Progress, command: Command, guard: Term, trail: Trail): void {
  const { terms } = progress;
  const { scene } = progress.at;
  switch (command.kind) {
    case "let":
      scene.names.set(command.name, compile(command.value, scene));
      return;
    case "require": {
      const reached = isReached(progress, command.when, guard);
      const { condition, why } = command;
      // What must hold of all elements is denied by one of them, as what is promised is.
      const goal = terms.implies(reached, compileBool(condition, { ...scene, promises: true }));
      progress.oblige({ kind: "require", goal, condition, why, path: trail.path() });
      return;
    }
    case "for":
      walkLoop(progress, command, terms.and(guard, progress.at.goesOn), trail);
      return;
    case "while":
      walkWhile(progress, command, terms.and(guard, progress.at.goesOn), trail);
      return;
    case "parallel":
      walkBranches(progress, command, guard, trail);
      return;
    case "call":
      walkCall(progress, command, isReached(progress, command.when, guard), trail);
      return;
    default:
      noOtherKind(command);
  }
}

function isReached(progress: Progress, when: Expr | undefined, guard: Term): Term {
  const { terms } = progress;
  const inTime = terms.and(guard, progress.inTime());
  return when === undefined ? inTime : terms.and(inTime, compileBool(when, progress.at.scene));
}

function walkCall(progress: Progress, command: CallCommand, guard: Term, trail: Trail): void {
  const tool = progress.checked.tools.get(command.tool);
  if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
  const { length, mostCalls } = progress.options;
  const most = mostCalls ?? (length === undefined ? maxFacts : maxShortFacts);
  if (progress.facts.length >= most) throw new NotFollowed(`more than ${most} calls`, trail.path());
  const { scene, indices } = progress.at;
  const args = compileRecord(command.args, scene);
  const caught = command.catch !== undefined;
  const path = trail.path();
  bind(progress, command, makeCall(progress, { id: command.id, indices, tool, args, guard, caught, path }));
}

function bind(progress: Progress, command: CallCommand, fact: Fact): void {
  const { guard, failed, result } = fact;
  const { terms } = progress;
  const { names } = progress.at.scene;
  if (command.catch !== undefined) names.set(command.catch, scalar(failed));
  // SOUNDNESS: any text, also where the call did not fail and it is empty.
  if (command.reason !== undefined)
    names.set(command.reason, progress.fresh(reasonName(fact), { kind: "string" }));
  if (command.bind === undefined || result === undefined) return;
  const maybe = command.when !== undefined || command.catch !== undefined;
  const present = terms.and(guard, terms.not(failed));
  names.set(command.bind, maybe ? { kind: "option", present, value: result } : result);
}

function walkBranches(progress: Progress, { branches }: ParallelCommand, guard: Term, trail: Trail): void {
  const { lists } = progress.at.scene;
  const described = branches.map((body) => ({
    touched: touchedIn(body, progress.checked),
    isSingle: isSingle(body),
  }));
  const parallel = new Parallel(progress, described, guard, trail);
  const folds = lists.allFolds;
  branches.forEach((body, i) => {
    lists.backToFolds(folds);
    parallel.walk((reached) => walkBody(progress, body, reached, trail.at("branches", i)));
  });
  lists.backToFolds(folds);
  parallel.end();
}

// ── loops ────────────────────────────────────────────────────────────────────────────────────────────────

function walkLoop(progress: Progress, command: ForCommand, guard: Term, trail: Trail): void {
  const list = compile(command.list, progress.at.scene);
  if (command.max !== undefined) limitLength(progress, list, command.max, guard, trail);
  if (list.kind === "opaque") walkAnyTurn(progress, command, list, guard, trail);
  else if (list.kind === "list") walkKnownLoop(progress, command, list, guard, trail);
  else throw new TypeError("a loop goes through a list");
}

/** A loop of unknown turns: by induction, or, where lists are made short to find a run, with so few turns. */
function walkWhile(progress: Progress, command: WhileCommand, guard: Term, trail: Trail): void {
  const { at, options } = progress;
  // SOUNDNESS: a branch that stays in a loop does not keep those beside it from going on.
  if (at.lanes.length > 0 || at.turns.some(({ parallel }) => parallel))
    throw new NotFollowed("a loop of unknown length, concurrent with other calls,", trail.path());
  if (options.length === undefined) walkAnyTurn(progress, command, turnsOf(progress), guard, trail);
  else walkFewTurns(progress, command, options.length, guard, trail);
}

function walkAnyTurn(
  progress: Progress,
  command: LoopCommand,
  list: OpaqueSymbolic,
  guard: Term,
  trail: Trail,
): void {
  walkUnknownLoop(progress, command, list, guard, trail, (reached) =>
    walkBody(progress, command.body, reached, trail.at("body")),
  );
}

/** Goes so many turns, and no further. A run that is looked for ends by then; to see which guesses fail, it is cut off there. */
function walkFewTurns(
  progress: Progress,
  command: WhileCommand,
  length: ShortLength,
  guard: Term,
  trail: Trail,
): void {
  const { terms } = progress;
  const most = typeof length === "number" ? length : length.upTo;
  const items = Array.from({ length: most }, () => ({ present: terms.true, value: nothing }));
  walkKnownLoop(progress, command, { kind: "list", items }, guard, trail);
  const after = command.carry.map(({ name }) => progress.named(name));
  const ended = terms.not(terms.and(guard, progress.at.goesOn, goesOnWith(progress, command, after)));
  if (progress.options.ends || progress.options.dropped === undefined) progress.assume(ended);
  else progress.move({ goesOn: terms.and(progress.at.goesOn, ended) });
}

const nothing: Symbolic = { kind: "record", fields: new Map() };

/** Unrolls it. */
function walkKnownLoop(
  progress: Progress,
  command: LoopCommand,
  { items }: ListSymbolic,
  guard: Term,
  trail: Trail,
): void {
  const { terms } = progress;
  const { scene, indices } = progress.at;
  const { names } = scene;
  const first = command.carry.map((carry) => compile(carry.init, scene));
  command.carry.forEach((carry, i) => set(names, carry.name, first[i]));
  let index: Term = terms.int(0);
  const { state } = progress.at;
  const [fluents, wrote] = [writtenIn(command.body, progress.checked), progress.writes.length];
  const type = command.kind === "for" ? typeOf(command.list, scene) : nothingOf;
  let visited = noneOf(terms, type.kind === "list" ? type.element : type);
  const cellsAt = (carried: readonly Symbolic[]) =>
    cellMomentOf(progress, command, index, first, carried, visited);
  // Only where lists are made short: whatever does not hold there does not hold of lists of any length.
  const { length, dropped } = progress.options;
  const tried = length === undefined || dropped === undefined ? undefined : guessed();
  const folds = scene.lists.allFolds;
  const iteration = { touched: touchedIn(command.body, progress.checked), isSingle: isSingle(command.body) };
  const parallel =
    isParallel(command) &&
    new Parallel(
      progress,
      items.map(() => iteration),
      guard,
      trail,
    );
  let goesOn: Term = terms.true;
  for (const [position, item] of items.entries()) {
    const { value } = item;
    const carriedIn = command.carry.map(({ name }) => progress.named(name));
    goesOn = terms.and(goesOn, goesOnWith(progress, command, carriedIn));
    const present = terms.and(item.present, goesOn);
    if (command.kind === "for") names.set(command.var, value);
    if (command.index !== undefined) names.set(command.index, scalar(index));
    progress.move({ indices: [...indices, position] });
    // SOUNDNESS: a command sees the folds of those before it in its turn, wherever its loop is unrolled.
    scene.lists.backToFolds(folds);
    const body = (reached: Term) =>
      walkBody(progress, command.body, terms.and(reached, present), trail.at("body"));
    if (parallel) parallel.walk(body);
    else body(guard);
    progress.move({ indices });
    if (progress.inTime() === terms.false) return;
    const next = command.carry.map((carry) => compile(carry.next, scene));
    command.carry.forEach((carry, i) => {
      // An element that is not there is not visited, so what is carried stays as it was.
      const changed = next[i];
      if (changed !== undefined)
        names.set(carry.name, merge(terms, present, changed, progress.named(carry.name)));
    });
    index = terms.apply("+", index, terms.ite(present, terms.int(1), terms.int(0)));
    visited = visitedNow(terms, visited, value, present);
    const carried = command.carry.map(({ name }) => progress.named(name));
    if (tried === undefined) continue;
    const { start, invariants, cells } = tried;
    const now = parallel ? inListOrder(progress, fluents, state, wrote) : progress.at.state;
    if (cells.length > 0) showCells(progress, cells, state, now, cellsAt(carried), guard);
    if (invariants.length === 0) continue;
    const moment = momentOf(progress, command, index, carried);
    for (const { id, at } of invariants) progress.show(id, terms.implies(guard, at(moment, start)));
  }
  scene.lists.backToFolds(folds);
  if (parallel) parallel.end();

  function guessed() {
    return guessesFor(
      progress,
      { command, carried: first, folds: [], fluents, first: cellsAt(first) },
      trail,
    );
  }
}

const nothingOf = { kind: "record", fields: [] } as const;

function set(names: Map<string, Symbolic>, name: string, value: Symbolic | undefined): void {
  if (value !== undefined) names.set(name, value);
}

function limitLength(progress: Progress, list: Symbolic, max: number, guard: Term, trail: Trail): void {
  const { terms } = progress;
  const reached = terms.and(guard, progress.inTime());
  const goal = terms.implies(reached, terms.apply("<=", lengthOf(list, progress.at.scene), terms.int(max)));
  progress.oblige({ kind: "max", goal, condition: undefined, path: trail.path() });
}
