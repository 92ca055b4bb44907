/**
 * The state of the lowering: the command buffer, the path condition, the value of every slot, the pending exits. An
 * exit (`return`, `break`, `continue`, `throw`) is stored with its guard and the state at that point, and its target
 * merges it; so nothing after it happens on its path.
 */
import { type Command, type Expr, namesLeftBy, partsOf, type Type } from "../../ir/index.ts";
import { and, choose, no, not, op, or, same, variable, weight, yes } from "../build.ts";
import type { FrontCode, FrontLimits } from "../codes.ts";
import { type Problems, refuse, type Spot } from "../refusal.ts";
import type { FunctionNode, Module } from "../syntax.ts";
import type { Ty } from "../ty.ts";
import type { ClassVal, DataVal, FluentInfo, PoisonVal, ToolInfo, Val } from "../value.ts";
import type { Catching } from "./caught.ts";
import type { Yielding } from "./generator.ts";
import type { Breakable } from "./labels.ts";
import { mergeValues } from "./merge.ts";
import { Names } from "./names.ts";
import { isOutdated, letGo, share, type WholePlace, writtenThrough } from "./own.ts";
import type { Reading } from "./reading.ts";
import type { Recursion } from "./recursion.ts";
import { Tasks, type TasksMark } from "./tasks.ts";

/** The context of an expression, which determines its allowed effects. */
export type Mode =
  /** The program: may make calls. */
  | { readonly kind: "program" }
  /** A function inside an operator: may compute, nothing else. */
  | { readonly kind: "lambda"; readonly firstSlot: number }
  /** A clause of a tool or a contract; `view` as in the checker. `firstSlot`: inside a function over rows. */
  | {
      readonly kind: "formula";
      readonly view: "values" | "state" | "trace";
      readonly firstSlot?: number;
    };

const changedElsewhere: Val = {
  kind: "poison",
  why: (spot) =>
    refuse(
      spot,
      "FC2312",
      "this may be the array or object that was changed under another name",
      "build a new value with `[...list, item]` or `{ ...object, field }` instead of changing it",
    ),
};

const changedWhileGoneOver: PoisonVal = {
  kind: "poison",
  why: (spot) =>
    refuse(
      spot,
      "FC2312",
      "this is gone over by a loop that changes what it holds",
      "go over a copy, and set what is changed: `for (const [key, list] of [...map]) map.set(key, [...list].sort())`",
    ),
};

const onlyCompute = "give what it finds as its result";

/** A lambda turned out to do more than compute; it is lowered as a loop instead. */
export class Impure extends Error {}

export type State = Map<number, Val>;

/** A slot is the first of two others where the condition holds, and the second elsewhere. */
export interface Choice {
  readonly condition: Expr;
  readonly yes: number;
  readonly no: number;
}

export interface Exit {
  readonly kind: "return" | "break" | "continue" | "throw";
  readonly guard: Expr;
  readonly state: State;
  readonly value?: Val;
}

/** The type predicate of a call that returns `x is T`, where its condition holds. */
export interface Predicate {
  readonly condition: Expr;
  readonly of: Expr;
  readonly type: Ty;
  readonly node: { readonly start: number; readonly end: number };
}

/** A function that is being compiled. */
export interface Frame {
  readonly node: FunctionNode;
  readonly name: string;
  /** True if what it gives is awaited where it is called. */
  readonly isAwaited: boolean;
  readonly args: readonly Val[];
  /** Slots from this one on were made in it. */
  readonly firstSlot: number;
}

/** A savepoint of the lowering for a trial. */
export interface Mark {
  readonly buffer: Command[];
  readonly commands: number;
  readonly path: Expr;
  readonly given: readonly Expr[];
  readonly state: State;
  readonly exits: number;
  readonly names: Names;
  readonly problems: number;
  readonly tasks: TasksMark;
  readonly frozen: readonly number[];
  readonly copied: readonly number[];
  readonly origins: readonly (readonly [number, readonly number[]])[];
  readonly stale: readonly number[];
  readonly spots: number;
  readonly unrolled: number;
}

export class Lowering {
  readonly limits: FrontLimits;
  readonly problems: Problems;
  readonly usedTools = new Map<string, ToolInfo>();
  readonly usedFluents = new Map<string, FluentInfo>();
  /** The tools of whose calls a name of a formula is one. */
  readonly callsBound = new Map<string, readonly ToolInfo[]>();
  /** All tools of the loaded modules with a label. */
  labelled: (label: string) => readonly ToolInfo[] = () => [];
  /** The inputs of the program that states the contract, if there is one. */
  inputs: ReadonlySet<string> | undefined;
  /** Names that rows of relations were given. */
  readonly rows = new Set<string>();
  /** True while sources of data are named, and no formula over calls is allowed. */
  namesSources = false;
  readonly spots = new Map<Command, Spot>();
  /** Definitions of the document's names, for reasoning about guards. */
  readonly definitions = new Map<string, Expr>();
  /** The commands that bind names, and the types of names that none binds: what loops go over, and inputs. */
  readonly bound = new Map<string, Command>();
  readonly nameTypes = new Map<string, Type>();
  /** Functions that were found to call themselves; the innermost that is being compiled as such is the last of `recursions`. */
  recursive: ReadonlySet<FunctionNode> = new Set();
  readonly recursions: Recursion[] = [];
  /** Result types of their calls, by the placeholder name. */
  readonly outcomes = new Map<string, Type>();
  readonly stack: Frame[] = [];
  /** Arrays and objects that cannot be changed any more: they were copied into a value, or another slot stands for them. */
  readonly frozen = new Set<number>();
  /** Those of them that were copied into a value: a later change would not be seen there. */
  readonly #copied = new Set<number>();
  #isCarrying = false;
  /** A slot of an array or object that may be one of several: those that it may be. */
  readonly origins = new Map<number, readonly number[]>();
  /** A slot of an array or object that is one of two: a change of it is a change of that one. */
  readonly choices = new Map<number, Choice>();
  /** The slots that may be this one. */
  readonly #chosenFrom = new Map<number, Set<number>>();
  /** Slots whose change is being written to what they are. */
  readonly #writing = new Set<number>();
  /** From which depth on parts of what a slot holds may be held elsewhere too; 1 where nothing is noted. */
  readonly sharedFrom = new Map<number, number>();
  /** Arrays that began empty: what was put into them so far is known. */
  readonly ownArrays = new Set<number>();
  /** Slots of arrays and objects that were put into what another slot holds. */
  readonly stored = new Map<number, Set<number>>();
  /** The maps that names stand for keys of. */
  readonly keysOf = new Map<string, Expr>();
  /** Slots of values that have no name yet. */
  readonly unnamed = new Set<number>();
  /** The first slot of the innermost loop's body: an older one outlives a turn. */
  loopStart = 0;
  /** Maps whose values a loop changes while it goes over them: only what it is at may be looked at. */
  readonly goneOver = new Set<number>();
  /** The expression of something that the program changes a part of. */
  placing: { readonly start: number; readonly end: number } | undefined;
  /** The expression that is a statement: nobody looks at what it gives. */
  unused: unknown;
  /** Lists, sets and maps that were changed so far as parts of what slots hold. */
  readonly changedParts: WholePlace[] = [];
  /** Number of compiled key deletions so far. */
  deletions = 0;
  /** Slots that may have been changed under another name: what they hold is not known any more. */
  readonly #stale = new Set<number>();
  /** The slots that values which nobody else holds were put into. */
  readonly #owners = new WeakMap<Expr, number>();
  /** The variables that slots belong to, for names that a reader knows. */
  readonly slotNames = new Map<number, string>();
  /** Arrays and objects that have a name already. */
  readonly shared = new WeakSet<Val>();
  /** Values of module constants; never changed. */
  readonly constants: State = new Map();
  /** SOUNDNESS: a name that is given again stands for something else. */
  names = new Names((name) => {
    this.definitions.delete(name);
    this.keysOf.delete(name);
  });
  buffer: Command[] = [];
  /** The calls that are under way. */
  readonly tasks = new Tasks(this.buffer);
  /** Calls that are awaited where they are made. */
  readonly atOnce = new Set<unknown>();
  /** The reading of the clock that functions inside an operator see. */
  standing: Expr | undefined;
  /** Readings of the clock so far. */
  readonly readings: Reading[] = [];
  /** The commands around the loop that is being compiled, so far: they come before it. */
  around: readonly (readonly Command[])[] = [];
  path: Expr = yes;
  /** Facts that hold here without guarding anything: the condition of the enclosing loop. */
  given: readonly Expr[] = [];
  state: State = new Map();
  exits: Exit[] = [];
  mode: Mode = { kind: "program" };
  /** The module whose code is being compiled. */
  module: Module;
  /** The function whose result is the answer of the program. */
  answering: FunctionNode | undefined;
  /** Its `return` statements that give something. */
  readonly answers = new Set<{ readonly start: number; readonly end: number }>();
  /** The variable that the result of a call will be known by. */
  resultName: { readonly node: unknown; readonly name: string } | undefined;
  /** Conditions under which values are numbers, while these are taken for granted: the caller requires them later. */
  assumed: Expr[] | undefined;
  /** The loops and `switch` statements around, the innermost last. */
  readonly breakables: Breakable[] = [];
  /** The generator whose body is being compiled, if one is. */
  yielding: Yielding | undefined;
  /** True while a value is made one of the type that it is wanted as outside the program. */
  isPassing = false;
  /** Number of enclosing `try` blocks with a `catch` or `finally`. */
  tries = 0;
  /** Number of them with a `finally`, which may still change the returned value. */
  finallies = 0;
  /** The innermost `catch` that looks at what was thrown, if the `try` of one is around. */
  catching: Catching | undefined;
  /** Number of them around the call of the current function. */
  triesAround = 0;
  #slots = 0;
  #work = 0;
  #depth = 0;
  #unrolled = 0;
  /** Classes of errors that were met so far, by their names. */
  readonly #errorClasses = new Map<string, ClassVal[]>();
  #facts = new WeakMap<Expr, readonly Expr[]>();
  #truths = new WeakMap<Expr, readonly Expr[]>();
  /** Calls of functions that return `x is T`: where the condition holds, the value is of the type. */
  readonly predicates: Predicate[] = [];

  constructor(limits: FrontLimits, problems: Problems, module: Module) {
    this.limits = limits;
    this.problems = problems;
    this.module = module;
  }

  spot(node: { readonly start: number; readonly end: number }): Spot {
    return { file: this.module.source.path, start: node.start, end: node.end };
  }

  refuse(
    node: { readonly start: number; readonly end: number },
    code: FrontCode,
    message: string,
    help?: string,
  ): never {
    return refuse(this.spot(node), code, message, help);
  }

  /** Returns the text by which errors of the class are told from those of others, also of others with its name. */
  errorTag(of: ClassVal): string {
    const known = this.#errorClasses.get(of.name) ?? [];
    if (!known.includes(of)) known.push(of);
    this.#errorClasses.set(of.name, known);
    const at = known.indexOf(of);
    return at === 0 ? of.name : `${of.name} ${at + 1}`;
  }

  sourceOf(node: { readonly start: number; readonly end: number }): string {
    return this.module.source.text.slice(node.start, node.end);
  }

  /** LIMIT: the total work is bounded. Values share parts, and what they are written out as does not. */
  count(node: { readonly start: number; readonly end: number }, units = 1): void {
    this.#work += units;
    if (this.#work > this.limits.work) {
      this.refuse(node, "FC2503", "the program is too big once its helpers and loops are written out");
    }
  }

  /** Runs `body` one level deeper. LIMIT: both depth and total work are bounded. */
  deeper<T>(node: { readonly start: number; readonly end: number }, body: () => T): T {
    this.count(node);
    if (this.#depth >= this.limits.depth) {
      this.refuse(node, "FC2502", "this is nested too deep", "give parts of it names of their own");
    }
    this.#depth++;
    try {
      return body();
    } finally {
      this.#depth--;
    }
  }

  countIteration(node: { readonly start: number; readonly end: number }): void {
    if (++this.#unrolled <= this.limits.unrolled) return;
    this.refuse(
      node,
      "FC2501",
      `loops over known values take more than ${this.limits.unrolled} steps in all`,
      "loop over fewer values, or over what a tool returns",
    );
  }

  /** Takes a savepoint, for `back`. */
  mark(): Mark {
    const { buffer, path, given, state, exits, names, problems, tasks, frozen, origins, spots } = this;
    return {
      buffer,
      commands: buffer.length,
      path,
      given,
      state: new Map(state),
      exits: exits.length,
      names: names.copy(),
      problems: problems.mark(),
      tasks: tasks.mark(),
      frozen: [...frozen],
      copied: [...this.#copied],
      origins: [...origins],
      stale: [...this.#stale],
      spots: spots.size,
      unrolled: this.#unrolled,
    };
  }

  /** Forgets all that was found since. */
  back(mark: Mark): void {
    this.buffer = mark.buffer;
    this.buffer.length = mark.commands;
    this.path = mark.path;
    this.given = mark.given;
    this.state = new Map(mark.state);
    this.exits.length = mark.exits;
    this.names = mark.names.copy();
    this.problems.forget(mark.problems);
    this.tasks.back(mark.tasks);
    refill(this.frozen, mark.frozen);
    refill(this.#copied, mark.copied);
    refill(this.#stale, mark.stale);
    this.origins.clear();
    for (const [slot, origins] of mark.origins) this.origins.set(slot, origins);
    for (const command of [...this.spots.keys()].slice(mark.spots)) this.spots.delete(command);
    this.#unrolled = mark.unrolled;
  }

  // ── slots ──────────────────────────────────────────────────────────────────────────────────────────────

  newSlot(value: Val): number {
    const slot = this.#slots++;
    this.state.set(slot, this.#settled(value, slot));
    return slot;
  }

  get nextSlot(): number {
    return this.#slots;
  }

  read(slot: number): Val {
    if (this.#stale.has(slot)) return changedElsewhere;
    if (this.goneOver.has(slot)) return changedWhileGoneOver;
    this.tasks.read(slot);
    const value = this.state.get(slot) ?? this.constants.get(slot) ?? { kind: "poison" };
    if (value.kind !== "data" || value.hold === undefined || this.mode.kind === "formula") return value;
    if (isOutdated(this, value)) return changedElsewhere;
    return { ...value, place: { slot, path: [], seen: value } };
  }

  /** Unlinks a value that is stored elsewhere from its origin, and notifies the owner. */
  #settled(value: Val, slot: number): Val {
    const settled = letGo(this, value);
    if (settled.kind !== "data" || settled.hold !== "own") return settled;
    const owner = this.#owners.get(settled.expr);
    this.#owners.set(settled.expr, owner ?? slot);
    if (owner === undefined || owner === slot) return settled;
    // Awaited twice, it is one object with two names.
    const now = this.state.get(owner);
    if (now !== undefined && !(now.kind === "data" && now.expr === settled.expr)) return changedElsewhere;
    this.freeze(owner);
    const { hold: _, ...plain } = settled;
    return plain;
  }

  /** Claims what nobody else holds, to give names to its parts; false if it has a name, or its parts do. */
  takeApart(expr: Expr): boolean {
    if (this.mode.kind !== "program" || this.#owners.has(expr)) return false;
    this.#owners.set(expr, -1);
    return true;
  }

  /**
   * `inPlace`: what the variable holds is changed, and not which value it holds.
   * `isNoted`: the caller says who else holds the elements that an array gets.
   */
  write(
    slot: number,
    value: Val,
    node: { readonly start: number; readonly end: number },
    inPlace = false,
    isNoted = inPlace,
  ): void {
    if (this.mode.kind === "lambda" && slot < this.mode.firstSlot) throw new Impure();
    // SOUNDNESS: a function over rows has no turns that could follow one another, so nobody would see the change.
    if (this.mode.kind === "formula" && slot < (this.mode.firstSlot ?? 0))
      this.refuse(node, "FC2209", "a function over calls cannot change what is outside it", onlyCompute);
    if (this.constants.has(slot)) {
      this.refuse(
        node,
        "FC2312",
        "this would change a constant of the module",
        "copy it first: `const mine = [...list]`",
      );
    }
    if (this.frozen.has(slot) || this.#isCopied(slot)) {
      this.refuse(
        node,
        "FC2312",
        "this changes an array or object after it was copied into another value, which would not see the change",
        "make the change first, or build a new value with `[...list, item]` or `{ ...object, field }`",
      );
    }
    if (this.goneOver.has(slot) && !inPlace) changedWhileGoneOver.why?.(this.spot(node));
    // SOUNDNESS: code that put elements in without a note may hold them too.
    if (this.ownArrays.has(slot) && !isNoted) share(this, slot, 1);
    this.tasks.change(this, slot, node);
    this.#writing.add(slot);
    try {
      this.#outdate(slot, node);
    } finally {
      this.#writing.delete(slot);
    }
    const before = this.state.get(slot);
    const link = before?.kind === "data" && typeof before.hold === "object" ? before.hold : undefined;
    const isChange = link !== undefined && (inPlace || link.isArray === true);
    this.state.set(slot, isChange ? writtenThrough(this, link, value, node) : this.#settled(value, slot));
    this.#changeChosen(slot, node, isNoted);
  }

  /** Changes the one of two that the slot is, and forgets the others that may be the slot. */
  #changeChosen(
    slot: number,
    node: { readonly start: number; readonly end: number },
    isNoted: boolean,
  ): void {
    for (const chosen of this.#chosenFrom.get(slot) ?? []) this.#forgetChosen(chosen);
    const choice = this.choices.get(slot);
    const value = this.state.get(slot);
    if (choice === undefined || value === undefined) return;
    this.#writing.add(slot);
    try {
      for (const [origin, condition] of [
        [choice.yes, choice.condition],
        [choice.no, not(choice.condition)],
      ] as const) {
        const before = this.read(origin);
        if (before.kind === "poison") before.why?.(this.spot(node));
        const hint = this.slotNames.get(origin) ?? "changed";
        this.write(origin, mergeValues(this, condition, value, before, node, hint), node, false, isNoted);
      }
    } finally {
      this.#writing.delete(slot);
    }
  }

  #forgetChosen(slot: number): void {
    if (this.#writing.has(slot) || this.#stale.has(slot)) return;
    this.#stale.add(slot);
    for (const chosen of this.#chosenFrom.get(slot) ?? []) this.#forgetChosen(chosen);
  }

  /** The slots that this one may be. */
  originsOf(slot: number): readonly number[] {
    const choice = this.choices.get(slot);
    return [...(this.origins.get(slot) ?? []), ...(choice === undefined ? [] : [choice.yes, choice.no])];
  }

  /** Notes that the slot is one of two others. */
  chose(slot: number, choice: Choice): void {
    this.choices.set(slot, choice);
    this.#derive(slot, [choice.yes, choice.no]);
  }

  /** Notes that the slot may be one of several others, and it is unknown which. */
  mayBe(slot: number, origins: readonly number[]): void {
    this.origins.set(slot, origins);
    this.#derive(slot, origins);
  }

  #derive(slot: number, origins: readonly number[]): void {
    for (const origin of origins) {
      const known = this.#chosenFrom.get(origin) ?? new Set();
      known.add(slot);
      this.#chosenFrom.set(origin, known);
    }
  }

  /** Notes that the slot's value was copied: a later change would not be seen there. */
  freeze(slot: number): void {
    this.frozen.add(slot);
    if (!this.#isCarrying) this.#copied.add(slot);
    const choice = this.choices.get(slot);
    if (choice === undefined) return;
    this.freeze(choice.yes);
    this.freeze(choice.no);
  }

  /** Notes that another slot stands for this one from now on: changes are made there, and nothing was copied. */
  supersede(slot: number): void {
    this.carrying(() => this.freeze(slot));
  }

  /** Runs what copies values only to hand them to the slots that stand for them after a loop. */
  carrying<T>(body: () => T): T {
    const before = this.#isCarrying;
    this.#isCarrying = true;
    try {
      return body();
    } finally {
      this.#isCarrying = before;
    }
  }

  /** SOUNDNESS: a slot that may be another has been copied wherever that one was, before they were merged or after. */
  #isCopied(slot: number, seen = new Set<number>()): boolean {
    if (this.#copied.has(slot)) return true;
    if (seen.has(slot)) return false;
    seen.add(slot);
    return this.originsOf(slot).some((origin) => this.#isCopied(origin, seen));
  }

  isStale(slot: number): boolean {
    return this.#stale.has(slot);
  }

  /** SOUNDNESS: each object that a choice may be has changed too, and there is no telling which of them. */
  #outdate(slot: number, node: { readonly start: number; readonly end: number }): void {
    for (const origin of this.origins.get(slot) ?? []) this.outdate(origin, node);
    const choice = this.choices.get(slot);
    if (choice === undefined || !this.#stale.has(slot)) return;
    this.outdate(choice.yes, node);
    this.outdate(choice.no, node);
  }

  /** Marks the slot's value as unknown. SOUNDNESS: an earlier iteration of a loop would have seen it too late. */
  outdate(slot: number, node: { readonly start: number; readonly end: number }): void {
    if (this.#stale.has(slot)) return;
    if (slot < this.loopStart)
      this.refuse(
        node,
        "FC2312",
        "this changes an array or object that another name holds, which the next turn of the loop would see",
        "build a new value with `[...list, item]` or `{ ...object, field }` instead of changing it",
      );
    this.#stale.add(slot);
    this.#outdate(slot, node);
    for (const chosen of this.#chosenFrom.get(slot) ?? []) this.#forgetChosen(chosen);
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────────────

  emit(command: Command, node: { readonly start: number; readonly end: number }): void {
    if (command.kind !== "let") {
      if (this.mode.kind === "lambda") throw new Impure();
      if (this.mode.kind === "formula")
        this.refuse(node, "FC2209", "no call can be made here", "only programs make calls");
    }
    if (this.mode.kind === "program") this.tasks.place(this, command, node);
    this.buffer.push(command);
    for (const name of namesLeftBy(command)) this.bound.set(name, command);
    this.spots.set(command, this.spot(node));
    if (this.spots.size > this.limits.commands * 8 || this.buffer.length > this.limits.commands)
      this.refuse(node, "FC2503", `the program has more than ${this.limits.commands} commands`);
  }

  /** A name for the expression, unless it is as short as a name. */
  named(expr: Expr, hint: string, node: { readonly start: number; readonly end: number }): Expr {
    if (isAtom(expr) || (weight(expr) <= longestChoice && isWordChoice(expr))) return expr;
    // Formulas are read by people; only what would be repeated at length gets a name there.
    if (this.mode.kind !== "program" && weight(expr) < 24) return expr;
    const name = this.names.fresh(hint);
    this.definitions.set(name, expr);
    this.emit({ kind: "let", name, value: expr }, node);
    return variable(name);
  }

  /** A name for a value, unless that would hide that it is one of a few words. */
  namedData<T extends DataVal>(
    val: T,
    hint: string,
    node: { readonly start: number; readonly end: number },
  ): T {
    const { type } = val;
    const isOfFew = type.kind === "enum" || (type.kind === "option" && type.value.kind === "enum");
    if (isOfFew && weight(val.expr) <= longestChoice && isAmongWords(val.expr)) return val;
    return { ...val, expr: this.named(val.expr, hint, node) };
  }

  require(condition: Expr, why: string, node: { readonly start: number; readonly end: number }): void {
    if (condition.kind === "bool" && condition.value) return;
    const { path } = this;
    // A comparison of any two elements: it must hold of all of them before they are sorted.
    if (this.mode.kind === "lambda" && this.assumed !== undefined) {
      this.assumed.push(or(not(path), condition));
      return;
    }
    const guard = isGuard(path) || this.mode.kind !== "program" ? path : this.named(path, "reached", node);
    const when = guard.kind === "bool" ? {} : { when: guard };
    this.emit({ kind: "require", condition, ...when, why }, node);
  }

  // ── guards ─────────────────────────────────────────────────────────────────────────────────────────────

  get isReached(): boolean {
    return !(this.path.kind === "bool" && !this.path.value);
  }

  /** The path on which, besides, the condition holds. */
  narrowed(condition: Expr, hint: string, node: { readonly start: number; readonly end: number }): Expr {
    const path = and(this.path, condition);
    // Outside a program a path guards nothing; it only says what is known.
    return isGuard(path) || this.mode.kind !== "program" ? path : this.named(path, hint, node);
  }

  leave(kind: Exit["kind"], value?: Val): void {
    if (!this.isReached) return;
    const exit = { kind, guard: this.path, state: new Map(this.state) };
    this.exits.push(value === undefined ? exit : { ...exit, value });
    this.path = no;
  }

  /** Runs `body` with no pending exits and gives those that it left. */
  collectExits(body: () => void): Exit[] {
    const before = this.exits;
    this.exits = [];
    try {
      body();
      return this.exits;
    } finally {
      this.exits = before;
    }
  }

  /** Runs `body` with what is known where the condition holds. */
  implies<T>(condition: Expr, body: () => T): T {
    const before = this.path;
    this.path = and(before, condition);
    try {
      return body();
    } finally {
      this.path = before;
    }
  }

  /** Returns true if the path condition implies that the option is present. */
  isKnownPresent(option: Expr, same: (a: Expr, b: Expr) => boolean): boolean {
    if ([this.path, ...this.given].some((path) => this.#factsOf(path).some((one) => same(one, option))))
      return true;
    // A choice between values and nothing may have no name, and the path says under which conditions it is one of them.
    const there = option.kind === "op" && option.op === "if" ? op("isSome", option) : undefined;
    return there !== undefined && !(there.kind === "op" && there.op === "isSome") && this.isKnown(there);
  }

  /** Returns whether the path says that the condition holds, in the same words. */
  isKnown(condition: Expr): boolean {
    if (condition.kind === "bool") return condition.value;
    if (condition.kind === "op" && condition.op === "and")
      return condition.args.every((one) => this.isKnown(one));
    if (condition.kind === "op" && condition.op === "isSome" && condition.args[0] !== undefined)
      if (this.isKnownPresent(condition.args[0], same)) return true;
    return this.#truthsOf(this.path).some((one) => same(one, condition, 400));
  }

  #truthsOf(path: Expr): readonly Expr[] {
    const before = this.#truths.get(path);
    if (before !== undefined) return before;
    const found: Expr[] = [];
    this.#collectTruths(path, true, found, 0);
    this.#truths.set(path, found);
    return found;
  }

  /** Everything that the path says as one condition of its own, negated where it says that it does not hold. */
  #collectTruths(expr: Expr, truth: boolean, found: Expr[], depth: number): void {
    if (depth > 60) return;
    if (expr.kind === "op" && expr.op === "not" && expr.args[0] !== undefined) {
      this.#collectTruths(expr.args[0], !truth, found, depth + 1);
      return;
    }
    if (expr.kind === "op" && expr.op === (truth ? "and" : "or")) {
      for (const arg of expr.args) this.#collectTruths(arg, truth, found, depth + 1);
      return;
    }
    found.push(truth ? expr : not(expr));
    const definition = expr.kind === "var" ? this.definitions.get(expr.name) : undefined;
    if (definition !== undefined) this.#collectTruths(definition, truth, found, depth + 1);
  }

  #factsOf(path: Expr): readonly Expr[] {
    const before = this.#facts.get(path);
    if (before !== undefined) return before;
    const found: Expr[] = [];
    this.#collect(path, true, found, 0);
    this.#facts.set(path, found);
    return found;
  }

  #collect(expr: Expr, truth: boolean, found: Expr[], depth: number): void {
    if (depth > 60) return;
    if (expr.kind === "var") {
      const definition = this.definitions.get(expr.name);
      if (definition !== undefined) this.#collect(definition, truth, found, depth + 1);
    }
    if (expr.kind !== "op") return;
    const [first] = expr.args;
    if (expr.op === "not" && first !== undefined) this.#collect(first, !truth, found, depth + 1);
    else if (expr.op === (truth ? "and" : "or"))
      for (const arg of expr.args) this.#collect(arg, truth, found, depth + 1);
    else if (expr.op === "isSome" && truth && first !== undefined) found.push(first);
    else if (expr.op === "==" && truth) {
      expr.args.forEach((arg, i) => {
        const other = expr.args[1 - i];
        if (arg.kind === "op" && arg.op === "some" && other !== undefined) found.push(other);
      });
    }
  }
}

function refill<T>(set: Set<T>, values: readonly T[]): void {
  set.clear();
  for (const value of values) set.add(value);
}

/** As short as a name. */
export function isAtom(expr: Expr): boolean {
  if (expr.kind === "field") return isAtom(expr.of);
  if (expr.kind === "op" && expr.op === "value" && expr.args[0] !== undefined) return isAtom(expr.args[0]);
  return partsOf(expr).length === 0;
}

/** LIMIT: without a name, a choice between choices doubles in length each time. */
const longestChoice = 100;

/** Unwraps an option that is known to be present: a choice between words and nothing gives the words. */
export function heldIn(option: Expr): Expr {
  return (isWordChoice(option) ? wordsIn(option) : undefined) ?? op("value", option);
}

function wordsIn(expr: Expr): Expr | undefined {
  if (expr.kind !== "op") return undefined;
  const [first, a, b] = expr.args;
  if (expr.op === "some") return first;
  if (expr.op !== "if" || first === undefined || a === undefined || b === undefined) return undefined;
  const [yes, no] = [wordsIn(a), wordsIn(b)];
  return yes && no ? choose(first, yes, no) : (yes ?? no);
}

function hasWord(expr: Expr): boolean {
  return expr.kind === "string" || partsOf(expr).some(hasWord);
}

/** A choice between names and constant strings. */
function isAmongWords(expr: Expr): boolean {
  if (expr.kind !== "op" || expr.op !== "if") return false;
  return expr.args.slice(1).every((one) => isWordOrName(one) || isAmongWords(one));
}

function isWordOrName(expr: Expr): boolean {
  if (expr.kind === "op" && expr.op === "value" && expr.args[0] !== undefined)
    return isAtom(expr.args[0]) || (isAmongWords(expr.args[0]) && !hasWord(expr.args[0]));
  if (expr.kind === "op" && expr.op === "some" && expr.args[0] !== undefined) return isAtom(expr.args[0]);
  return isAtom(expr);
}

/** A choice between constant strings may still become a value of an enum, which a name of its own could not. */
function isWordChoice(expr: Expr): boolean {
  if (expr.kind === "string" || expr.kind === "none") return true;
  if (expr.kind === "op" && expr.op === "some" && expr.args[0] !== undefined)
    return isWordChoice(expr.args[0]);
  return expr.kind === "op" && expr.op === "if" && expr.args.slice(1).every(isWordChoice);
}

/** A name, or its negation. */
function isGuard(expr: Expr): boolean {
  if (expr.kind === "op" && expr.op === "not") return expr.args[0] !== undefined && isGuard(expr.args[0]);
  return expr.kind === "var" || expr.kind === "bool";
}
