/**
 * Calls that JavaScript makes at the same time. A call that is not awaited where it is made goes on beside what follows,
 * and so does the rest of a function that waited for it; the IR makes one call after the other. This file knows which
 * calls are under way and refuses whatever would let a reader see the difference.
 * See docs/adr/0033-calls-beside-one-another.md.
 */
import type { Expr } from "../../ir/index.ts";
import { children, not, same } from "../build.ts";
import { refuse, type Spot } from "../refusal.ts";
import type { PromiseVal, ToolInfo, Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { clash } from "./state-clash.ts";

type At = { readonly start: number; readonly end: number };

/** A call of a tool that was started, with its arguments by name. */
export interface StartedCall {
  readonly tool: ToolInfo;
  readonly args: ReadonlyMap<string, Expr>;
  readonly path: Expr;
}

/** A call of a tool, or of a function, whose promise somebody has. */
export interface Task {
  readonly spot: Spot;
  readonly calls: StartedCall[];
  /** Slots from this one on are its own. */
  readonly firstSlot: number;
  readonly loops: number;
  readonly tries: number;
  /** The paths on which it waited for something: what comes then happens later in JavaScript. */
  readonly waits: Expr[];
  readonly readLater: Set<number>;
  readonly changedLater: Set<number>;
  /** Why no other call may be made beside it. */
  objection: Objection | undefined;
  /** Where it was started. */
  path: Expr;
  awaited: boolean;
}

type Objection = keyof typeof objections;

const objections = {
  fails: "one of these calls may fail inside this `try`, and JavaScript has started the others by then",
  throws: "this function may throw, and JavaScript makes the calls beside it all the same",
  stops: "this function may stop the run, and JavaScript makes the calls beside it all the same",
  calls: "this function makes more than one call, and JavaScript makes the calls beside it in between",
  waits: "this function waits before it makes a call, and JavaScript makes the calls beside it first",
  changes:
    "this function changes a variable after it waited, and JavaScript runs what is beside it in between",
} as const;

const help =
  "await one before the next is made: `await` each call, or loop with `for (const x of xs) await …`";

/** Of what JavaScript goes on with before it waits: that would happen between the calls of a function, or after one that fails. */
export const waitsForNothing = "nobody waits for this here, and what comes next would happen in between";
export const waitWhereCalled = "write `await` where the function is called";

/** Help for a list of promises. */
export const waitForAll = "write `await Promise.all(list.map(…))`";

/** Two tools, of which JavaScript starts the second whatever becomes of the call of the first. */
export interface Beside {
  readonly first: string;
  readonly second: string;
  readonly spot: Spot;
}

export class Tasks {
  /** Functions that are being compiled, the innermost last. */
  readonly #open: Task[] = [];
  /** Those that were started and that nobody has waited for yet. */
  #underWay: readonly Task[] = [];
  /** While arguments are brought to the types of a tool. */
  #converting = 0;
  loops = 0;
  readonly beside: Beside[] = [];

  // ── tasks ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Compiles the call of a function; a promise that it gives is under way from then on. */
  ofFunction(low: Lowering, node: At, body: () => Val): Val {
    this.#mayStart(low, node);
    const isWhole = this.#open.length === 0;
    const task = newTask(low, node);
    const thrown = low.exits.length;
    this.#open.push(task);
    let value: Val;
    try {
      value = body();
    } finally {
      this.#open.pop();
    }
    if (value.kind !== "promise") return value;
    // What it hands on is waited for together with it.
    this.#remove(value.tasks ?? []);
    for (const exit of low.exits.slice(thrown)) {
      if (exit.kind !== "throw") continue;
      task.objection ??= exit.value === undefined && low.tries > 0 ? "fails" : "throws";
    }
    if (task.changedLater.size > 0) task.objection ??= "changes";
    const isAlone = isWhole || this.#beside(low, low.path).length === 0;
    if (task.objection !== undefined && !isAlone) this.#object(low, task, node);
    task.path = low.path;
    this.#underWay = [...this.#underWay, task];
    return { ...value, tasks: [task] };
  }

  /** A call of a tool is made. */
  ofTool(low: Lowering, tool: ToolInfo, args: ReadonlyMap<string, Expr>, node: At, emit: () => void): Task {
    this.#mayStart(low, node);
    const call: StartedCall = { tool, args, path: low.path };
    const isMade = low.isReached;
    emit();
    if (!isMade) return newTask(low, node);
    for (const task of this.#beside(low, call.path)) this.#together(low, task, call, node);
    for (const task of this.#open) {
      const again = task.calls.some((one) => !exclude(low, one.path, call.path));
      if (again || this.loops > task.loops) task.objection ??= "calls";
      if (task.waits.some((one) => !exclude(low, one, call.path))) task.objection ??= "waits";
      task.calls.push(call);
    }
    // Where it fails inside a `try`, what follows is not reached: its own path is that where it did not.
    const task = newTask(low, node);
    task.calls.push(call);
    if (low.tries > 0) task.objection = "fails";
    this.#underWay = [...this.#underWay, task];
    return task;
  }

  /** Waits for a promise. */
  wait(low: Lowering, val: Val, node: At): void {
    for (const task of this.#open) task.waits.push(low.path);
    this.settle(low, val, node);
  }

  /** The promise is waited for, here or by whoever waits for what it is part of. */
  settle(low: Lowering, val: Val, node: At): void {
    if (val.kind !== "promise") return;
    const here = atoms(low, low.path);
    for (const task of val.tasks ?? []) {
      if (task.tries !== low.tries)
        low.refuse(
          node,
          "FC2311",
          "this waits inside a `try` for what was started outside it, or the other way round",
          "write `await` where the call is made",
        );
      task.awaited = true;
      // Where it is only waited for on some paths, it is still under way on the others.
      const there = atoms(low, task.path);
      if (here.every((atom) => there.some((one) => same(one, atom)))) this.#remove([task]);
    }
  }

  /** The function of `.map` over a list of the run: its calls are made beside one another. */
  repeated(low: Lowering, val: Val, node: At): void {
    if (val.kind !== "promise") return;
    for (const task of val.tasks ?? []) {
      if (task.objection !== undefined) this.#object(low, task, node);
      for (const call of task.calls) this.#together(low, task, call, node);
    }
  }

  /** Paths met, and the promise is that of either. */
  moved(low: Lowering, { tasks = [] }: PromiseVal): void {
    for (const task of tasks) task.path = low.path;
  }

  /** They are under way from here on, whatever they were before. */
  start(low: Lowering, tasks: readonly Task[]): void {
    for (const task of tasks) task.path = low.path;
    this.#underWay = [...new Set([...this.#underWay, ...tasks])];
  }

  get underWay(): readonly Task[] {
    return this.#underWay;
  }

  /** Goes back to what was under way before something was tried out. */
  restore(before: readonly Task[]): void {
    this.#underWay = before;
  }

  /** Refuses a call that was started since then and that nobody has waited for. */
  noneSince(before: readonly Task[]): void {
    const left = this.#underWay.find((task) => !task.awaited && !before.includes(task));
    if (left !== undefined)
      refuse(left.spot, "FC2311", "nobody waits for this call", "write `await` before it");
  }

  /** Refuses a function or a call that no other may be beside, started since then, while what comes next happens. */
  plainSince(before: readonly Task[]): void {
    const left = this.#underWay.find((task) => task.objection !== undefined && !before.includes(task));
    if (left !== undefined) refuse(left.spot, "FC2311", waitsForNothing, waitWhereCalled);
  }

  /** Those that may be under way on this path. */
  #beside(low: Lowering, path: Expr): readonly Task[] {
    return this.#underWay.filter((task) => !exclude(low, task.path, path));
  }

  #remove(tasks: readonly Task[]): void {
    this.#underWay = this.#underWay.filter((one) => !tasks.includes(one));
  }

  /** Nothing is known of what would follow a throw, so it must not follow. */
  #mayStart(low: Lowering, node: At): void {
    const others = this.#beside(low, low.path);
    const task = others.find((one) => one.objection === "throws" || one.objection === "fails");
    if (task !== undefined) this.#object(low, task, node);
  }

  #object(low: Lowering, task: Task, node: At): never {
    return low.refuse(node, "FC2324", objections[task.objection ?? "calls"], help);
  }

  #together(low: Lowering, task: Task, call: StartedCall, node: At): void {
    if (task.objection !== undefined) this.#object(low, task, node);
    for (const one of task.calls) {
      const fluent = clash(one, call);
      if (fluent !== undefined)
        low.refuse(
          node,
          "FC2324",
          `one of these calls changes \`${fluent}\`, and the other reads or changes it while that is under way`,
          help,
        );
      this.beside.push({
        first: one.tool.tool.name,
        second: call.tool.tool.name,
        spot: low.spot(node),
      });
    }
  }

  // ── what they do ───────────────────────────────────────────────────────────────────────────────────────

  /** The run may stop here. */
  mayStop(): void {
    if (this.#converting > 0) return;
    for (const task of this.#open) task.objection ??= "stops";
  }

  converting<T>(body: () => T): T {
    this.#converting += 1;
    try {
      return body();
    } finally {
      this.#converting -= 1;
    }
  }

  read(slot: number): void {
    for (const task of this.#open)
      if (task.waits.length > 0 && slot < task.firstSlot) task.readLater.add(slot);
    const other = this.#underWay.find((task) => task.changedLater.has(slot));
    if (other !== undefined) refuseChange(other.spot);
  }

  change(low: Lowering, slot: number, node: At): void {
    for (const task of this.#open)
      if (task.waits.length > 0 && slot < task.firstSlot) task.changedLater.add(slot);
    const other = this.#underWay.find((task) => task.changedLater.has(slot) || task.readLater.has(slot));
    if (other !== undefined) refuseChange(low.spot(node));
  }
}

function refuseChange(spot: Spot): never {
  return refuse(
    spot,
    "FC2324",
    "a function that is under way reads or changes this variable after it waited",
    help,
  );
}

function newTask(low: Lowering, node: At): Task {
  return {
    spot: low.spot(node),
    calls: [],
    firstSlot: low.nextSlot,
    loops: low.tasks.loops,
    tries: low.tries,
    waits: [],
    readLater: new Set(),
    changedLater: new Set(),
    objection: undefined,
    path: low.path,
    awaited: false,
  };
}

/** The tasks of a promise, of both of two that a condition chose from. */
export function tasksOf(...vals: readonly Val[]): Pick<PromiseVal, "tasks"> {
  const tasks = vals.flatMap((val) => (val.kind === "promise" ? (val.tasks ?? []) : []));
  return tasks.length === 0 ? {} : { tasks: [...new Set(tasks)] };
}

/** Whether no run goes both ways, as far as that is plain. */
function exclude(low: Lowering, a: Expr, b: Expr): boolean {
  const others = atoms(low, b);
  return atoms(low, a).some((atom) => others.some((one) => same(not(atom), one)));
}

/** LIMIT: definitions that are looked through. */
const mostSteps = 200;

/** What holds wherever the path does. */
function atoms(low: Lowering, path: Expr): Expr[] {
  const found: Expr[] = [];
  const pending: Expr[] = [path];
  for (let steps = 0; steps < mostSteps; steps++) {
    const expr = pending.pop();
    if (expr === undefined) return found;
    if (expr.kind === "op" && expr.op === "and") pending.push(...children(expr));
    else if (!(expr.kind === "bool" && expr.value)) found.push(expr);
    const definition = expr.kind === "var" ? low.definitions.get(expr.name) : undefined;
    if (definition !== undefined) pending.push(definition);
  }
  return [...found, ...pending];
}
