/**
 * Branches that run at the same time, walked one after the other in written order: no argument of a call depends on how
 * they interleave, since no branch reads a name of another. Order and state are what depends on it: each call knows its
 * lane, and cells that others may set hold anything.
 * SOUNDNESS: each branch starts from the state before all of them, and what must hold in it is shown with nothing assumed
 * that rests on how far the others have come: one that fails ends by itself, and this one goes on.
 * Part of what must be trusted.
 */
import {
  type Checked,
  type Command,
  commandsIn,
  isParallel,
  type LoopCommand,
  type Trail,
} from "../../ir/index.ts";
import type { Term } from "../terms/term.ts";
import { bothTouched, type Ended, joined, type Touched, untouched } from "./interference.ts";
import type { Point, Progress } from "./symbolic-state.ts";

export interface Branch {
  readonly touched: Touched;
  readonly isSingle: boolean;
}

/** Returns whether parts of the program run at the same time. */
export function hasParallel({ document }: Checked): boolean {
  for (const command of commandsIn(document.program.body)) if (isParallel(command)) return true;
  return false;
}

/** Returns whether the commands wait for nothing but a single call. */
export function isSingle(commands: readonly Command[]): boolean {
  const waiting = commands.filter(({ kind }) => kind !== "let" && kind !== "require");
  return waiting.length <= 1 && waiting.every(({ kind }) => kind === "call");
}

/** One execution of a parallel command. */
export class Parallel {
  readonly #progress: Progress;
  readonly #name: string;
  readonly #branches: readonly Branch[];
  readonly #guard: Term;
  /** By branch: what those beside it may set. */
  readonly #others: readonly Touched[];
  readonly #entry: Point;
  readonly #assumed: number;
  readonly #ended: Ended[] = [];
  /** For a stopping point: completion of each branch. */
  readonly #completed: Term[] = [];

  constructor(progress: Progress, branches: readonly Branch[], guard: Term, trail: Trail) {
    const { terms, at } = progress;
    this.#progress = progress;
    this.#name = executionOf(trail, at);
    this.#branches = branches;
    this.#others = othersOf(branches);
    this.#entry = at;
    this.#assumed = progress.assumptions.length;
    const started = progress.inTime();
    this.#guard = terms.and(guard, started);
  }

  /** Walks the next branch. */
  walk(body: (guard: Term) => void): void {
    const [progress, entry, number] = [this.#progress, this.#entry, this.#ended.length];
    const { terms } = progress;
    const branch = this.#branches[number];
    if (branch === undefined) throw new TypeError("there is no further branch");
    const stop = entry.stop === undefined ? undefined : terms.constant(`stop@${this.#name}@${number}`, "Int");
    const { isSingle, touched } = branch;
    const lane = { parallel: this.#name, branch: number, isSingle, depth: entry.turns.length };
    const here = progress.assumptions.length;
    progress.move({
      state: entry.state,
      lanes: [...entry.lanes, lane],
      others: bothTouched(entry.others, this.#others[number] ?? untouched),
      hidden: here === this.#assumed ? entry.hidden : [...entry.hidden, [this.#assumed, here]],
      ...(stop && { stop }),
    });
    const wrote = progress.writes.length;
    body(this.#guard);
    if (stop !== undefined) this.#completed.push(terms.apply("<=", terms.int(progress.facts.length), stop));
    this.#ended.push({ touched, state: progress.at.state, writes: progress.writes.slice(wrote) });
    const { lanes, hidden, others: around, stop: outer } = entry;
    progress.move({ state: entry.state, lanes, hidden, others: around, ...(outer && { stop: outer }) });
  }

  /** All branches have ended. */
  end(): void {
    const { terms } = this.#progress;
    // A run that goes on after them has waited for all of them.
    if (this.#completed.length > 0)
      this.#progress.assume(terms.implies(this.#progress.inTime(), terms.all(this.#completed)));
    this.#progress.move({ state: joined(this.#progress, this.#entry.state, this.#ended) });
    this.#progress.interfere();
    this.#progress.reach(this.#progress.at.state, this.#guard, false);
  }
}

/** Those before it together with those after it, so that many branches cost no more than a few each. */
function othersOf(branches: readonly Branch[]): readonly Touched[] {
  const before: Touched[] = [];
  const after: Touched[] = [];
  branches.reduce((all, { touched }, i) => {
    before[i] = all;
    return bothTouched(all, touched);
  }, untouched);
  branches.reduceRight((all, { touched }, i) => {
    after[i] = all;
    return bothTouched(all, touched);
  }, untouched);
  return branches.map((_, i) => bothTouched(before[i] ?? untouched, after[i] ?? untouched));
}

/** The same for the same command in the same iteration of those around it. */
export function executionOf(trail: Trail, { indices }: Pick<Point, "indices">): string {
  const turn = indices.map((index) => (index < 0 ? "*" : index));
  return `${trail.path().join(".")}@${turn.join("-")}`;
}

/** Returns how iterations of the loop run concurrently, if they do. */
export function beside(command: LoopCommand): { readonly parallel?: "single" | "many" } {
  return isParallel(command) ? { parallel: isSingle(command.body) ? "single" : "many" } : {};
}
