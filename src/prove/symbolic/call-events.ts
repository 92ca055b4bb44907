/**
 * Call events of a program, from one symbolic execution: guarded calls in program order, assumptions and obligations.
 * Relations, state and order are views of the events. Part of what must be trusted.
 */
import type { Expr, Path, Tool } from "../../ir/index.ts";
import type { Term } from "../terms/term.ts";
import type { State } from "./fluent-state.ts";
import type { RecordSymbolic, Symbolic } from "./symbolic-value.ts";

/** A moment of the walk, by what may be assumed there. */
export interface Placed {
  /** Number of assumptions before its place. */
  readonly after: number;
  /** Assumptions that do not count there: those that depend on the progress of other branches. */
  readonly hidden?: readonly Range[];
}

/** The assumptions from one to before another. */
export type Range = readonly [from: number, to: number];

/** One call that the program may make. */
export interface Fact extends Placed {
  /** Its place among the facts: the order of the calls, but for calls at the same time, which are in written order. */
  readonly position: number;
  readonly id: string;
  /** Positions in the loops that were unrolled, outermost first. */
  readonly indices: readonly number[];
  readonly tool: Tool;
  readonly args: RecordSymbolic;
  /** Path condition. */
  readonly guard: Term;
  /** True if the program catches its failure. */
  readonly caught: boolean;
  /** Failure of the call; an uncaught failure is possible only where the run stops. */
  readonly failed: Term;
  /**
   * The condition that a guarantee counts the call: it is reached, and if it failed it had its effect, which is
   * unknown.
   */
  readonly happened: Term;
  readonly result: Symbolic | undefined;
  /** The tool's `ensures` for the result. */
  readonly ensures: readonly Term[];
  readonly path: Path;
  /** The branches of parallel commands that it is in, outermost first. */
  readonly lanes: readonly Lane[];
  /** The iterations that it is in, of loops whose lists are not known before the run, outermost first. */
  readonly turns: readonly Turn[];
  /** Totals before the call. */
  readonly totals: readonly Term[];
  /** The outermost loop around it whose list is not known before the run: it stands for any iteration of it. */
  readonly loop?: AnyIteration;
}

/** A branch of a parallel command, or an iteration of a parallel loop that is unrolled. */
export interface Lane {
  /** The same for the same parallel command, if all iterations of loops around it are the same. */
  readonly parallel: string;
  readonly branch: number;
  /** True if it waits for nothing but a single call: between such branches calls are started in written order. */
  readonly isSingle: boolean;
  /** Number of enclosing iterations. */
  readonly depth: number;
}

/** One iteration of a loop. */
export interface Turn {
  /** The same for the same loop, if all iterations of loops around it are the same. */
  readonly loop: string;
  readonly index: Term;
  /** Set for a parallel loop; `single` if an iteration waits for nothing but a single call. */
  readonly parallel?: "single" | "many";
  /** The element of the iteration. */
  readonly element?: Symbolic;
}

/** A loop whose list is not known before the run. */
export interface AnyIteration {
  /** Any one iteration, which may be another one than any before. */
  readonly again: () => Iteration;
  /** The iterations of elements that were chosen from its list, or from what that was made of. */
  readonly ofChosen: (most: number) => readonly Iteration[];
  /** The first iteration, if there is one; undefined where its calls are not those of any other. */
  readonly first: () => Iteration | undefined;
  /** Iterations that were looked at for what they have left to the next one, or added to a list. */
  readonly previous: () => readonly Iteration[];
  /** Adds one to these: an iteration of the loop, or of one in it. */
  readonly seen: (iteration: Iteration) => void;
}

export interface Iteration {
  readonly facts: readonly Fact[];
  readonly stages: readonly Stage[];
}

/** The state after a call, or after a loop. */
export interface Stage {
  readonly state: State;
  /** Path condition of the state. */
  readonly reached: Term;
  readonly loop: AnyIteration | undefined;
  /**
   * Set if other branches may have set cells meanwhile: then it is a state of the run only if it is reached. `nothing
   * new` if no cell was set here, so that it is the state after a call of another branch.
   */
  readonly shared?: "new" | "nothing new";
}

/** A ghost variable, updated by each call: a count, a sum, or an automaton state. */
export interface Ghost {
  /** The same whenever it is kept. */
  readonly name: string;
  /** The automaton that this state belongs to. */
  readonly automaton?: string;
  /** Before the first call. */
  readonly first: Term;
  /** The key that counts, which stands for any. */
  readonly key?: Term;
  /** Returns true if a call of the tool can change it. */
  readonly counts: (tool: Tool) => boolean;
  /** Returns its value after the call, from the values of all ghosts before it. */
  readonly next: (fact: Fact, before: readonly Term[]) => Term;
  /** Anything that it can be, the same for the same number. */
  readonly some: (number: number) => Term;
  /** Returns the amount that a write adds, if cells are counted. */
  readonly written: (write: Written) => Term | undefined;
}

/** A cell that is set, if the condition holds. */
export interface Written {
  readonly fluent: string;
  readonly key: Term;
  readonly happens: Term;
  readonly before: Symbolic;
  readonly after: Symbolic;
}

/** Something that induction must show. */
export interface Step extends Placed {
  /** The guess that it belongs to. */
  readonly id: string;
  readonly goal: Term;
}

/** Error codes of failed obligations: a tool's `requires`, the program's `require`, a bound, a negative cost. */
export const obligationCodes = {
  requires: "FC1502",
  require: "FC1503",
  max: "FC1511",
  cost: "FC1514",
} as const;

/** Something that must hold in every run, at its place. */
export interface Obligation extends Placed {
  readonly kind: keyof typeof obligationCodes;
  readonly goal: Term;
  readonly path: Path;
  /** The condition in the words of the document. */
  readonly condition: Expr | undefined;
  /** For `requires` and `cost`: the call. */
  readonly fact?: Fact;
  readonly why?: string;
}

export interface Walk {
  readonly facts: readonly Fact[];
  readonly obligations: readonly Obligation[];
  /** True in every run that gets so far: types, `ensures` of calls that were reached, earlier obligations. */
  readonly assumptions: readonly Term[];
  /** The state before the first call and after each fact. */
  readonly states: readonly State[];
  /** The same with when they are reached, but for the first. */
  readonly stages: readonly Stage[];
  /** Totals at the end. */
  readonly totals: readonly Term[];
}

/** Returns what may be assumed at that place. */
export function assumedAt(assumptions: readonly Term[], { after, hidden = [] }: Placed): readonly Term[] {
  if (hidden.length === 0) return assumptions.slice(0, after);
  return assumptions.slice(0, after).filter((_, i) => !hidden.some(([from, to]) => from <= i && i < to));
}

/** Thrown for unsupported constructs; everything that depends on one is unknown, with this reason. */
export class NotFollowed extends Error {
  readonly path: Path;
  constructor(message: string, path: Path) {
    super(message);
    this.name = "NotFollowed";
    this.path = path;
  }
}
