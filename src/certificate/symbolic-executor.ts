/**
 * Symbolic executor: visits the calls in program order with their path conditions, arguments, preconditions and
 * assumptions. It unrolls loops over lists with known elements; `loop-induction.ts` handles the others. Part of what
 * must be trusted.
 */
import {
  type CallCommand,
  type Checked,
  type Command,
  type Expr,
  type ForCommand,
  isBuiltin,
  noOtherKind,
  type Path,
  readType,
  recordOf,
  type Tool,
  Trail,
  type Value,
} from "../ir/index.ts";
import { Expressions, type Look, type Names } from "./compile.ts";
import type { Term } from "./encode.ts";
import { type State, States, type Write } from "./fluent-state.ts";
import { numberOf } from "./known-list.ts";
import { repeat } from "./loop-induction.ts";
import { tangledIn } from "./parallel.ts";
import { asType, merge, type Part, type Plain, plain, termOf } from "./symbolic-value.ts";
import { type Counted, Totals } from "./totals.ts";

/** A call that the program may make. */
export interface Call {
  readonly id: string;
  readonly tool: Tool;
  readonly args: Plain & { readonly kind: "record" };
  /** The condition that a guarantee counts the call: a failed call may or may not have had its effect. */
  readonly happened: Term;
  readonly failed: Term;
  readonly result: Plain | undefined;
  /** Position for comparing calls: its number, and the numbers and iterations of the enclosing loops. */
  readonly order: readonly Term[];
  /** Elements of the enclosing unbounded loops in this iteration. */
  readonly elements: readonly Plain[];
  /** The state after it. */
  readonly after: State;
}

/** The calls of one iteration of a loop, which stands for any: another one each time. */
export interface Repeated {
  readonly again: () => readonly Call[];
}

/** The assumptions from one to before another. */
export type Range = readonly [from: number, to: number];

/** A place of the walk: the assumptions before it, but for those that rest on how far other branches have come. */
export interface Placed {
  readonly after: number;
  readonly hidden: readonly Range[];
}

/** Something that must be so, given the assumptions at its place. */
export interface Claim extends Placed {
  readonly kind: "requires" | "require" | "max" | "cost" | "invariant";
  readonly path: Path;
  readonly goal: Term;
  /** Index of the invariant in its loop. */
  readonly invariant?: number;
}

/** A call whose `ensures` is assumed: there must be a result that meets it, or the call must never be reached. */
export interface Answer extends Placed {
  readonly path: Path;
  readonly reached: Term;
  readonly ensures: readonly Term[];
}

/** LIMIT: of calls, with loops written out. */
const mostCalls = 2_000;
/** LIMIT: of obligations, each of which has all assumptions before it. */
const mostClaims = 4_000;

/** By the path of a loop as text: what is said to be true before each of its iterations and after the last. */
export type Invariants = ReadonlyMap<string, readonly string[]>;

export const nowhere: Look = (expr) => {
  throw new TypeError(`\`${expr.kind}\` cannot stand in a program`);
};

/** A loop over a list of any length. */
export interface Met {
  readonly path: Path;
  readonly command: ForCommand;
  /** Totals that the loop's calls may change, with their known values at entry. */
  readonly totals: readonly { readonly place: number; readonly first: Value | undefined }[];
  /** The fluents that its calls may set. */
  readonly fluents: readonly string[];
}

/** Program point of the executor. */
export interface Point {
  readonly names: Names;
  readonly state: State;
  /** The calls so far, in order. */
  readonly seen: readonly (Call | Repeated)[];
  readonly counted: Counted;
  /** Position of the next call: the enclosing loops, and its number. */
  readonly loops: readonly Term[];
  readonly elements: readonly Plain[];
  readonly number: number;
  /** Assumptions that must not be used here. */
  readonly hidden: readonly Range[];
  /** True inside an arbitrary iteration. */
  readonly isInside: boolean;
  /** True on a second visit: the obligations were emitted on the first. */
  readonly isAgain: boolean;
}

export class Walk {
  readonly checked: Checked;
  readonly at: Expressions;
  readonly states: States;
  readonly totals: Totals;
  readonly claims: Claim[] = [];
  readonly answers: Answer[] = [];
  /** Invariants of each loop, by its path as text. */
  readonly invariants: Invariants;
  /** The loops over lists of any length that were met, in order, by their paths as text. */
  readonly loops = new Map<string, Met>();
  point: Point;
  #calls = 0;

  constructor(checked: Checked, invariants: Invariants) {
    this.checked = checked;
    this.invariants = invariants;
    this.at = new Expressions(checked);
    this.states = new States(checked, this.at);
    this.totals = new Totals(this);
    const names: Names = new Map(
      checked.document.program.inputs.map((input) => [input.name, this.at.any(readType(input))]),
    );
    const counted = { from: 0 };
    this.point = {
      names,
      state: [],
      seen: [],
      counted,
      loops: [],
      elements: [],
      number: 0,
      hidden: [],
      isInside: false,
      isAgain: false,
    };
    const tangled = tangledIn(checked);
    if (tangled !== undefined) {
      this.at.place = Trail.root.at(...tangled.path);
      this.at.refuse(tangled.what);
    }
    this.body(checked.document.program.body, this.at.terms.true, Trail.root.at("program", "body"));
  }

  move(to: Partial<Point>): void {
    this.point = { ...this.point, ...to };
  }

  /** The names that guarantees see. */
  inputs(): Names {
    return new Map(this.checked.document.program.inputs.map(({ name }) => [name, this.named(name)]));
  }

  /** True if the program has unbounded loops. */
  get isRepeating(): boolean {
    return this.loops.size > 0;
  }

  named(name: string): Plain {
    const value = this.point.names.get(name);
    if (value === undefined) throw new TypeError(`the name \`${name}\` has no value`);
    return value;
  }

  value(expr: Expr): Plain {
    return this.at.value(expr, this.point.names, nowhere);
  }

  #set(name: string, value: Plain): void {
    this.point.names.set(name, value);
  }

  get #here(): Placed {
    return { after: this.at.assumptions.length, hidden: this.point.hidden };
  }

  /** Afterwards it may be assumed, since the run stops where it does not hold, or this branch of it. */
  #claim(kind: Claim["kind"], goal: Term, trail: Trail): void {
    this.claim({ kind, goal, path: trail.path() });
    this.at.assume(goal);
  }

  claim(claim: Omit<Claim, keyof Placed>): void {
    if (this.point.isAgain) return;
    if (this.claims.length >= mostClaims) this.at.refuse(`more than ${mostClaims} obligations`);
    this.claims.push({ ...claim, ...this.#here });
  }

  body(commands: readonly Command[], guard: Term, trail: Trail): void {
    commands.forEach((command, i) => this.#command(command, guard, trail.at(i)));
  }

  #command(command: Command, guard: Term, trail: Trail): void {
    const { terms } = this.at;
    this.at.place = trail;
    const before = this.at.assumptions.length;
    switch (command.kind) {
      case "let":
        this.#set(command.name, this.value(command.value));
        return;
      case "require": {
        const reached = this.#reached(command.when, guard);
        this.#claim("require", terms.implies(reached, termOf(this.value(command.condition))), trail);
        return;
      }
      case "call":
        this.#call(command, this.#reached(command.when, guard), trail);
        return;
      case "for":
        this.#loop(command, guard, trail);
        return;
      case "parallel":
        command.branches.forEach((body, i) => {
          this.#beside(before, () => this.body(body, guard, trail.at("branches", i)));
        });
        return;
      case "while":
        this.at.refuse("a loop with an unknown number of iterations");
        return;
      default:
        noOtherKind(command);
    }
  }

  /**
   * Walks a branch of several that run at the same time.
   * SOUNDNESS: one that fails does not stop the others. So what must hold here is shown with nothing assumed that was
   * found in those before it.
   * @param first the number of assumptions before all of them
   */
  #beside(first: number, walk: () => void): void {
    const { hidden } = this.point;
    this.move({ hidden: [...hidden, [first, this.at.assumptions.length]] });
    walk();
    this.move({ hidden });
  }

  #reached(when: Expr | undefined, guard: Term): Term {
    return when === undefined ? guard : this.at.terms.and(guard, termOf(this.value(when)));
  }

  // ── loops ──────────────────────────────────────────────────────────────────────────────────────────────

  #loop(command: ForCommand, guard: Term, trail: Trail): void {
    const { terms, lists } = this.at;
    const list = this.value(command.list);
    if (command.max !== undefined) {
      const within = terms.atMost(lists.length(list), terms.int(command.max));
      this.#claim("max", terms.implies(guard, within), trail);
    }
    if (list.kind === "many") repeat(this, command, list, guard, trail);
    else if (list.kind === "list") this.#writeOut(command, list.items, guard, trail);
    else throw new TypeError(`a ${list.kind} is no list`);
  }

  #writeOut(command: ForCommand, items: readonly Part[], guard: Term, trail: Trail): void {
    const { terms } = this.at;
    this.#carry(command, "init", terms.true);
    const before = this.at.assumptions.length;
    items.forEach(({ present, value }, i) => {
      this.#set(command.var, value);
      if (command.index !== undefined) this.#set(command.index, plain(numberOf(terms, items.slice(0, i))));
      const body = () => this.body(command.body, terms.and(guard, present), trail.at("body"));
      if (command.parallel) this.#beside(before, body);
      else body();
      this.at.place = trail;
      // An element that is not there is not visited, so what is carried stays as it was.
      this.#carry(command, "next", present);
    });
  }

  /** All at once: each expression sees the values from before. */
  #carry(command: ForCommand, which: "init" | "next", present: Term): void {
    const { terms } = this.at;
    const values = this.carried(command, which);
    command.carry.forEach(({ name }, i) => {
      const value = values[i];
      if (value === undefined) return;
      this.#set(name, which === "init" ? value : merge(terms, present, value, this.named(name)));
    });
  }

  carried({ carry }: ForCommand, which: "init" | "next"): readonly Plain[] {
    return carry.map((one) => asType(this.at.terms, this.value(one[which]), one.type));
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────────────

  #call(command: CallCommand, guard: Term, trail: Trail): void {
    const { terms } = this.at;
    const tool = this.checked.tools.get(command.tool);
    if (tool === undefined) throw new TypeError(`there is no tool \`${command.tool}\``);
    if (!this.point.isAgain && ++this.#calls > mostCalls) this.at.refuse(`more than ${mostCalls} calls`);
    const args = this.#arguments(command, tool);
    const caught = command.catch !== undefined && !isBuiltin(tool.name);
    const failed = caught ? terms.and(guard, terms.constant("Bool")) : terms.false;
    const took = caught ? terms.or(terms.not(failed), terms.constant("Bool")) : terms.true;
    const result = tool.result && this.at.any(tool.result);
    const before = this.#clauseNames(tool, args);
    const look = this.#now();
    for (const condition of tool.requires)
      this.#claim("requires", terms.implies(guard, this.at.bool(condition, before, look)), trail);
    if (tool.cost !== undefined) {
      const cost = termOf(this.at.value(tool.cost, before, look));
      this.#claim("cost", terms.implies(guard, terms.atMost(terms.int(0), cost)), trail);
    }
    const writes = this.#writes(tool, before, look, guard, failed);
    this.#ensures(tool, args, result, terms.and(guard, terms.not(failed)), trail);
    const { state, seen, loops, elements, number } = this.point;
    const after = writes.length === 0 ? state : [...state, ...writes];
    const order = [...loops, terms.int(number)];
    const happened = terms.and(guard, took);
    const call = { id: command.id, tool, args, happened, failed, result, order, elements, after };
    this.move({ state: after, seen: [...seen, call], number: number + 1 });
    if (command.catch !== undefined) this.#set(command.catch, plain(failed));
    if (command.reason !== undefined) this.#set(command.reason, this.at.any({ kind: "string" }));
    if (command.bind === undefined || result === undefined) return;
    const maybe = command.when !== undefined || command.catch !== undefined;
    const present = terms.and(guard, terms.not(failed));
    this.#set(command.bind, maybe ? { kind: "option", present, value: result } : result);
  }

  #arguments({ args }: CallCommand, { params }: Tool): Plain & { readonly kind: "record" } {
    const made = asType(this.at.terms, this.at.record(args, this.point.names, nowhere), recordOf(params));
    if (made.kind !== "record") throw new TypeError("arguments are a record");
    return made;
  }

  #clauseNames({ params }: Tool, args: Plain): Names {
    return new Map(params.map(({ name, optional }) => [name, this.at.field(args, name, optional === true)]));
  }

  /** The state as it is now. */
  #now(): Look {
    const { state } = this.point;
    const look: Look = (expr, names) => {
      if (expr.kind !== "cell") throw new TypeError("a tool does not speak of the trace");
      return this.states.read(state, expr.fluent, termOf(this.at.value(expr.key, names, look)));
    };
    return look;
  }

  /** In order; each reads the state before the call, and one that failed leaves any value at its key. */
  #writes(tool: Tool, names: Names, look: Look, guard: Term, failed: Term): Write[] {
    const { terms } = this.at;
    return tool.sets.map(({ fluent, key, value, when }) => {
      const happens = when === undefined ? guard : terms.and(guard, this.at.bool(when, names, look));
      const type = this.states.fluent(fluent);
      const at = termOf(asType(terms, this.at.value(key, names, look), type.key));
      const written = asType(terms, this.at.value(value, names, look), type.value);
      const left = failed.value === false ? written : merge(terms, failed, this.at.any(type.value), written);
      return { fluent, guard: happens, key: at, value: left };
    });
  }

  /** SOUNDNESS: only of a call that was reached and did not fail; its `requires` is an assumption of its own. */
  #ensures(tool: Tool, args: Plain, result: Plain | undefined, answered: Term, trail: Trail): void {
    const { terms } = this.at;
    const names = this.#clauseNames(tool, args);
    if (result !== undefined) names.set("result", result);
    const ensures = tool.ensures.map((condition) => this.at.bool(condition, names, nowhere));
    if (ensures.some(({ value }) => value !== true) && !this.point.isAgain)
      this.answers.push({
        ensures,
        reached: answered,
        path: trail.path(),
        ...this.#here,
      });
    for (const condition of ensures) this.at.assume(terms.implies(answered, condition));
  }
}
