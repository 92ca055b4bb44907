/** State of the symbolic executor: results so far, and facts at this point. Part of what must be trusted. */
import { type Checked, type LoopCommand, type Path, readType, type Type } from "../../ir/index.ts";
import { boundsIn } from "../loops/constants.ts";
import { LoopGuesses } from "../loops/loop-candidates.ts";
import { Lists } from "../loops/unbounded-list.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import {
  type AnyIteration,
  type Fact,
  type Ghost,
  type Lane,
  NotFollowed,
  type Obligation,
  type Placed,
  type Range,
  type Stage,
  type Step,
  type Turn,
  type Walk,
  type Written,
} from "./call-events.ts";
import { compile, type Look, type Scene } from "./compile.ts";
import { State, type SymbolicWrite } from "./fluent-state.ts";
import { interfered, type Touched, untouched, type Wrote } from "./interference.ts";
import { escaped, fresh, type ShortLength, type Symbolic } from "./symbolic-value.ts";

export interface WalkOptions {
  /** The position of the call after which the run stops, whether that call failed or not; -1 before the first. */
  readonly stop?: Term;
  /** The position of the last call of a parallel command that the run stops in: nothing comes after it. */
  readonly last?: number;
  /** Length of lists from tools and inputs: only for finding a run. */
  readonly length?: ShortLength;
  /** More calls than these are not followed. */
  readonly mostCalls?: number;
  /** Invariant candidates to drop; all others are assumed. No candidates by default. */
  readonly dropped?: ReadonlySet<string>;
  /**
   * True if every `while` is assumed to terminate. Otherwise a run may also stay in one: it is interrupted after an
   * iteration.
   */
  readonly ends?: true;
  readonly ghosts?: (walker: Progress) => readonly Ghost[];
}

/** The name of the unknown that an input is; the counterexample finds its value by it. */
export function inputName(name: string): string {
  return `input@${escaped(name)}`;
}

/** The name of the unknown that the result of a call is. */
export function resultName({ id, indices }: Pick<Fact, "id" | "indices">): string {
  return `result@${escaped(id)}@${indices.join("-")}`;
}

export function reasonName(call: Pick<Fact, "id" | "indices">): string {
  return `reason@${resultName(call)}`;
}

/** A program point that the executor can return to. */
export interface Point {
  readonly scene: Scene;
  readonly state: State;
  readonly indices: readonly number[];
  readonly totals: readonly Term[];
  readonly turns: readonly Turn[];
  readonly lanes: readonly Lane[];
  /** The cells that calls under way in other branches may set. */
  readonly others: Touched;
  /** The assumptions that rest on how far others have come. */
  readonly hidden: readonly Range[];
  /** The position of the call after which the run, or this branch of it, stops. */
  readonly stop: Term | undefined;
  readonly loop: AnyIteration | undefined;
  /** The condition that the run has left every `while` so far. */
  readonly goesOn: Term;
}

/** The walk of the runs that stop after one call. */
export interface StoppedWalk {
  readonly walk: Progress;
  /** Its own assumptions; formulas add theirs to a copy. */
  readonly own: readonly Term[];
  /** True if a part of its last call has its own number. */
  readonly isNumbered: boolean;
}

const none: readonly Ghost[] = [];

function initialIn({ fluents }: Checked, scene: Scene): ReadonlyMap<string, Symbolic> {
  const initial = new Map<string, Symbolic>();
  for (const { name, initial: value } of fluents.values())
    if (value !== undefined) initial.set(name, compile(value, scene));
  return initial;
}

function push<T>(all: T[], one: T | undefined): void {
  if (one !== undefined) all.push(one);
}

export function restore(names: Map<string, Symbolic>, before: ReadonlyMap<string, Symbolic>): void {
  names.clear();
  for (const [name, value] of before) names.set(name, value);
}

export class Progress implements Walk {
  readonly checked: Checked;
  readonly terms: Terms;
  readonly options: WalkOptions;
  readonly facts: Fact[] = [];
  readonly obligations: Obligation[] = [];
  readonly assumptions: Term[] = [];
  readonly states: State[];
  readonly stages: Stage[] = [];
  /** The writes of all calls, where calls at the same time may make them. */
  readonly writes: Wrote[] = [];
  /** Goals of the assumed invariant candidates. */
  readonly steps: Step[] = [];
  readonly guesses = new LoopGuesses();
  /** The loops whose lists are not known before the run, in order. */
  readonly loops: { readonly path: Path; readonly command: LoopCommand }[] = [];
  /** Walks of the runs that stop after a call: every guarantee asks for the same ones. */
  readonly stopped = new Map<number, StoppedWalk>();
  /**
   * Number of states before each event, by position. A loop adds a state after it, even without calls, so events do
   * not count the states.
   */
  readonly #statesBefore: number[] = [];
  readonly #ghosts: readonly Ghost[];
  readonly #lists = new Lists();
  readonly #constrain = (term: Term): void => this.assume(term);
  readonly #number = (): number => this.number();
  /** Number of assumptions from the types of the inputs. */
  readonly #typed: number;
  #count = 0;
  #depth = 0;
  #asides = 0;
  #at: Point;

  /** @param whole a walk of the same program, which starts from the same state */
  constructor(checked: Checked, terms: Terms, options: WalkOptions, whole?: Progress) {
    this.checked = checked;
    this.terms = terms;
    this.options = options;
    const scene = this.newScene(() => {
      throw new TypeError("a program does not speak of state or trace");
    }, "program");
    const state = whole?.states[0] ?? new State(terms, checked, initialIn(checked, scene));
    this.states = [state];
    this.#at = {
      scene,
      state,
      indices: [],
      totals: [],
      turns: [],
      lanes: [],
      others: untouched,
      hidden: [],
      stop: options.stop,
      loop: undefined,
      goesOn: terms.true,
    };
    // SOUNDNESS: the inputs are the same unknowns, of which the same is assumed first.
    const isAlike = whole !== undefined && whole.options.length === options.length;
    for (const input of checked.document.program.inputs) {
      const value = isAlike ? whole.named(input.name) : this.fresh(inputName(input.name), readType(input));
      scene.names.set(input.name, value);
    }
    if (isAlike) for (let i = 0; i < whole.#typed; i++) push(this.assumptions, whole.assumptions[i]);
    this.#typed = this.assumptions.length;
    this.#ghosts = options.ghosts?.(this) ?? none;
    if (this.#ghosts.length > 0) this.move({ totals: this.#ghosts.map(({ first }) => first) });
  }

  /** As far as that call, which is yet to be made. */
  before(position: number, options: WalkOptions): Progress {
    const earlier = new Progress(this.checked, this.terms, options, this);
    const [next, states = 0] = [this.facts[position], this.#statesBefore[position]];
    const state = this.states[states - 1];
    if (next === undefined || state === undefined) return earlier;
    for (let i = earlier.assumptions.length; i < next.after; i++) {
      const assumption = this.assumptions[i];
      if (assumption !== undefined) earlier.assumptions.push(assumption);
    }
    for (let i = 0; i < position; i++) push(earlier.facts, this.facts[i]);
    for (let i = 1; i < states; i++) {
      push(earlier.states, this.states[i]);
      push(earlier.stages, this.stages[i - 1]);
    }
    earlier.move({ state });
    earlier.#count = this.#count;
    return earlier;
  }

  /** The state that the call leaves. */
  stateAfter(position: number): State | undefined {
    const states = this.#statesBefore[position];
    return states === undefined ? undefined : this.states[states];
  }

  // ── where it is ────────────────────────────────────────────────────────────────────────────────────────

  get at(): Point {
    return this.#at;
  }

  /** Totals so far. */
  get totals(): readonly Term[] {
    return this.#at.totals;
  }

  move(changes: Partial<Point>): void {
    const at = this.#at;
    this.#at = {
      scene: changes.scene ?? at.scene,
      state: changes.state ?? at.state,
      indices: changes.indices ?? at.indices,
      totals: changes.totals ?? at.totals,
      turns: changes.turns ?? at.turns,
      lanes: changes.lanes ?? at.lanes,
      others: changes.others ?? at.others,
      hidden: changes.hidden ?? at.hidden,
      stop: changes.stop ?? at.stop,
      // It can be left, too.
      loop: "loop" in changes ? changes.loop : at.loop,
      goesOn: changes.goesOn ?? at.goesOn,
    };
  }

  named(name: string): Symbolic {
    const value = this.#at.scene.names.get(name);
    if (value === undefined) throw new TypeError(`the name \`${name}\` has no value`);
    return value;
  }

  /** Returns whether the run, or this branch of it, goes on to the next call. */
  inTime(): Term {
    const { stop, goesOn } = this.#at;
    if (stop === undefined) return goesOn;
    return this.terms.and(goesOn, this.terms.apply("<=", this.terms.int(this.facts.length), stop));
  }

  /** Returns the condition that the run stops after the next call: an uncaught failure stops it there. */
  isLast(): Term {
    const { stop } = this.#at;
    if (stop === undefined) return this.terms.false;
    return this.terms.equal(stop, this.terms.int(this.facts.length));
  }

  // ── what it finds ──────────────────────────────────────────────────────────────────────────────────────

  /** A call is made here; what it sets comes after. */
  make(fact: Fact): void {
    this.#statesBefore[this.facts.length] = this.states.length;
    this.facts.push(fact);
  }

  assume(term: Term): void {
    if (term !== this.terms.true) this.assumptions.push(term);
  }

  /** This place, by what may be assumed here. */
  get here(): Placed {
    const [after, { hidden }] = [this.assumptions.length, this.#at];
    return hidden.length === 0 ? { after } : { after, hidden };
  }

  /** Adds an obligation; later it may be assumed, because the run, or this branch, stops where it fails. */
  oblige(obligation: Omit<Obligation, keyof Placed>): void {
    this.obligations.push({ ...obligation, ...this.here });
    this.assume(obligation.goal);
  }

  /** Adds the goal of a candidate. */
  show(id: string, goal: Term): void {
    this.steps.push({ id, goal, ...this.here });
  }

  /** @param write undefined for more than is known */
  wrote(fluent: string, write: SymbolicWrite | undefined): void {
    const { lanes, turns } = this.#at;
    if (lanes.length > 0 || turns.some(({ parallel }) => parallel)) this.writes.push({ fluent, write });
  }

  /** From here on, others that are under way may have set what they set. */
  interfere(): void {
    const { others, state } = this.#at;
    if (others.size > 0) this.move({ state: interfered(this, state, others) });
  }

  /**
   * The state is this from now on, if the run gets there.
   * @param isNew whether a cell was set
   */
  reach(state: State, reached: Term, isNew = true): void {
    const { loop, others } = this.#at;
    this.move({ state });
    this.states.push(state);
    const stage: Stage = { state, reached, loop };
    this.stages.push(others.size === 0 ? stage : { ...stage, shared: isNew ? "new" : "nothing new" });
  }

  /** A call was made: what becomes of what is kept along the way. */
  add(fact: Fact): void {
    if (this.#ghosts.length === 0) return;
    const { totals } = this;
    this.move({ totals: this.#ghosts.map(({ next }) => next(fact, totals)) });
  }

  /**
   * A cell is set.
   * SOUNDNESS: a cell that others may set holds at the return of a call something else than at its start, so what the
   * write changes of it is not known.
   */
  count(write: Written): void {
    this.move({
      totals: this.totals.map((total, i) => {
        const added = this.#ghosts[i]?.written(write);
        if (added === undefined) return total;
        if (this.#at.others.has(write.fluent))
          throw new NotFollowed(
            `the number of cells of \`${write.fluent}\`, which calls at the same time set`,
            [],
          );
        return this.terms.apply("+", total, added);
      }),
    });
  }

  /** Ghost variables, in the order of the totals. */
  get ghosts(): readonly Ghost[] {
    return this.#ghosts;
  }

  /** True during a secondary walk, which emits no goals. */
  get isAside(): boolean {
    return this.#asides > 0;
  }

  /** Does something aside from the main walk: what it finds is not the walk's. */
  aside<T>(work: () => T): {
    readonly result: T;
    readonly facts: readonly Fact[];
    readonly stages: readonly Stage[];
  } {
    const { facts, states, stages, obligations, steps, writes, at } = this;
    const found = [facts, states, obligations, steps, stages, writes];
    const lengths = found.map((all) => all.length);
    const names = new Map(at.scene.names);
    const folds = this.#lists.allFolds;
    this.#asides++;
    try {
      const result = work();
      return { result, facts: facts.slice(lengths[0]), stages: stages.slice(lengths[4]) };
    } finally {
      this.#asides--;
      // SOUNDNESS: also where it could not be followed: what was found of half an iteration is no part of the walk.
      found.forEach((all, i) => {
        all.splice(lengths[i] ?? 0);
      });
      this.move(at);
      restore(at.scene.names, names);
      this.#lists.backToFolds(folds);
    }
  }

  /** Undefined where it would be done in itself so many times. */
  nested<T>(most: number, work: () => T): T | undefined {
    if (this.#depth >= most) return undefined;
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }

  // ── what is new ────────────────────────────────────────────────────────────────────────────────────────

  /** Number of fresh names so far. */
  get numbers(): number {
    return this.#count;
  }

  /** A number that was not given before. */
  number(): number {
    return this.#count++;
  }

  fresh(name: string, type: Type): Symbolic {
    return fresh(this.terms, name, type, this.#constrain, this.options.length);
  }

  newScene(look: Look, command?: string): Scene {
    return {
      terms: this.terms,
      names: new Map(),
      types: this.checked.types,
      constrain: this.#constrain,
      count: this.#number,
      lists: this.#lists,
      look,
      command,
      bounds: boundsIn(this.checked, this.terms),
      ...(this.options.length !== undefined && { length: this.options.length }),
    };
  }

  /** The scene of the inputs, for the formulas of guarantees. */
  formulaScene(look: Look): Scene {
    const scene: Scene = { ...this.newScene(look), promises: true };
    for (const { name } of this.checked.document.program.inputs) scene.names.set(name, this.named(name));
    return scene;
  }
}
