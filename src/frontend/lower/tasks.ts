/**
 * Calls that JavaScript makes at the same time. A *task* is a call of a tool, or of an `async` function, that is not
 * awaited where it is made. It runs beside what follows until it is awaited; the commands of both become branches of a
 * `parallel`. This file knows which tasks are under way, and refuses what no order of branches can say.
 * See docs/adr/0042-a-task-is-a-branch.md.
 */
import { append, type Command, type Expr, isReading, partsOf } from "../../ir/index.ts";
import { and, anyOf, not, same } from "../build.ts";
import { refuse, type Spot } from "../refusal.ts";
import { type PromiseVal, unreachable, type Val } from "../value.ts";
import { lose } from "./caught.ts";
import type { Exit, Lowering } from "./core.ts";
import { Flow, Fork, type Thread } from "./flow.ts";
import { isFalse, mergeAll } from "./merge.ts";

type At = { readonly start: number; readonly end: number };

/** A call of a tool, or of a function, whose promise somebody has. */
export interface Task {
  readonly spot: Spot;
  /** The function of a list of unknown length: one for each element, all at the same time. */
  readonly isMany: boolean;
  /** Slots from this one on are its own. */
  readonly firstSlot: number;
  readonly loops: number;
  readonly tries: number;
  /** The paths on which it has made a call, and in which loop. */
  readonly calls: { readonly path: Expr; readonly loop: number }[];
  /** The paths on which it has waited. */
  readonly waits: Expr[];
  /** The paths on which it has itself waited after a call, and without one: JavaScript continues with what is beside it first. */
  readonly busy: Expr[];
  readonly idle: Expr[];
  readonly readLater: Set<number>;
  readonly changed: Set<number>;
  readonly changedLater: Set<number>;
  /** True if it makes a call after a wait. */
  callsLater: boolean;
  /** True if it makes its first call after a wait. */
  isLate: boolean;
  /** Exits by which it can be rejected. */
  exits: readonly Exit[];
  /** Path conditions: where it was started, and where it has not been rejected. */
  readonly path: Expr;
  end: Expr;
  /** The places that may await it. */
  reach: Expr;
  joined: boolean;
}

const help =
  "await one before the next is made: `await` each call, or loop with `for (const x of xs) await …`";

const together = "await them together: `await Promise.all([…])`";

/** Help for a list of promises. */
export const waitForAll = "write `await Promise.all(list.map(…))`";

/** Savepoint of the tasks for a trial. */
export interface TasksMark extends Snapshot {
  readonly started: boolean;
  readonly commands: number;
  readonly open: readonly Task[];
}

/** A task as it is, with lists of its own. */
function copyOf(task: Task): Task {
  return {
    ...task,
    calls: [...task.calls],
    waits: [...task.waits],
    busy: [...task.busy],
    idle: [...task.idle],
    readLater: new Set(task.readLater),
    changed: new Set(task.changed),
    changedLater: new Set(task.changedLater),
  };
}

interface Snapshot {
  readonly flow: Flow;
  readonly forks: readonly Fork[];
  readonly underWay: readonly Task[];
}

export class Tasks {
  /** Tasks that are being compiled, the innermost last. */
  readonly #open: Task[] = [];
  /** Those that were started and that nobody has awaited yet. */
  #underWay: readonly Task[] = [];
  #flow: Flow;
  /** The loops that are being compiled, each with a number of its own. */
  readonly #loops: number[] = [];
  #count = 0;

  /** True if tasks that are started here are for `Promise.allSettled`. */
  #settling = false;

  constructor(commands: Command[]) {
    this.#flow = new Flow(commands, true);
  }

  // ── tasks ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Compiles what is started here and awaited later. `isTask` tells of the value whether it is a promise at all. */
  start(low: Lowering, node: At, body: (isSettled: boolean) => Val, isMany = false): Val {
    const isSettled = this.#settling;
    if (low.mode.kind !== "program" || !low.isReached) return body(isSettled);
    const fork = this.#forked(low, node);
    const outer = { buffer: low.buffer, path: low.path, flow: this.#flow };
    const thread: Thread = { commands: [], task: newTask(low, node, this.#loops.length, isMany) };
    const { task } = thread;
    if (task === undefined) return body(isSettled);
    const underWay = this.#underWay;
    let value: Val | undefined;
    let exits: Exit[] = [];
    this.#flow = new Flow(thread.commands, false);
    this.#open.push(task);
    try {
      exits = low.collectExits(() => {
        value = this.settling(false, () => body(isSettled));
      });
      this.noneSince(underWay);
      if (value?.kind === "promise") this.#mergeExits(low, exits, node);
      task.end = low.path;
    } finally {
      this.#open.pop();
      this.#flow = outer.flow;
      low.buffer = outer.buffer;
      low.path = outer.path;
    }
    if (value === undefined) throw new TypeError("a task has a value");
    if (value.kind !== "promise") {
      // A loop that starts nothing is part of the flow itself.
      append(low.exits, exits);
      low.path = task.end;
      this.#write(low, thread.commands, node);
      return value;
    }
    task.exits = exits;
    const around = this.#open.at(-1);
    if (task.isLate && around?.busy.every((one) => !implied(low, one, low.path))) around.isLate = true;
    // Nothing uses the value of a promise that is always rejected.
    const of = isFalse(task.end) ? () => unreachable : value.of;
    if (this.#flow.forks.at(-1) !== fork) this.#flow.forks.push(fork);
    fork.threads.push(thread);
    this.#underWay = [...underWay, task];
    return { ...value, of, tasks: [task] };
  }

  /** The number of loops and tasks around, to tell what lies between a `try` and a place in it. */
  get around(): { readonly loops: number; readonly tasks: number } {
    return { loops: this.#loops.length, tasks: this.#open.length };
  }

  settling<T>(isSettled: boolean, body: () => T): T {
    const outer = this.#settling;
    this.#settling = isSettled;
    try {
      return body();
    } finally {
      this.#settling = outer;
    }
  }

  /** The fork that a task starts in: that of the flow, unless the flow has done something since. */
  #forked(low: Lowering, node: At): Fork {
    this.#continue(low, node);
    const fork = this.#flow.forks.at(-1);
    return fork === undefined || fork.own !== undefined ? new Fork(low.buffer) : fork;
  }

  /** Merges its outer changes on every path, including rejected ones. */
  #mergeExits(low: Lowering, exits: readonly Exit[], node: At): void {
    if (exits.length === 0) return;
    const ways = exits.map(({ guard, state }) => ({ guard, state }));
    if (low.isReached) ways.push({ guard: low.path, state: low.state });
    low.state = mergeAll(low, ways, node, "merged")?.state ?? low.state;
  }

  /** A call of a tool is made, on the path that is under way. */
  called(low: Lowering): void {
    if (low.mode.kind !== "program") return;
    for (const task of this.#open) {
      const beforeIt = task.waits.some((one) => !exclude(low, one, low.path));
      if (beforeIt || this.#loops.length > task.loops) task.callsLater = true;
      if (task.idle.some((one) => !exclude(low, one, low.path))) task.isLate = true;
      task.calls.push({ path: low.path, loop: this.#loops.at(-1) ?? 0 });
    }
  }

  /** A call was awaited at once, that was made on this path: so was it where it failed. */
  waited(low: Lowering, path: Expr): void {
    if (low.mode.kind !== "program") return;
    for (const task of this.#open) task.waits.push(path);
    this.#open.at(-1)?.busy.push(path);
  }

  /** Awaits a promise: goes on where all of its tasks have ended, and none was rejected. */
  wait(low: Lowering, val: Val, node: At): void {
    // An operator that is only tried out waits for nothing.
    for (const task of low.mode.kind === "program" ? this.#open : []) {
      task.waits.push(low.path);
      if (task === this.#open.at(-1)) (this.#hasCalled(low, task) ? task.busy : task.idle).push(low.path);
    }
    if (val.kind === "promise") this.join(low, val.tasks ?? [], node);
  }

  /** Returns whether it has made a call, whatever became of loops that have ended. */
  #hasCalled(low: Lowering, { calls }: Task): boolean {
    return calls.some(
      ({ path, loop }) => (loop === 0 || this.#loops.includes(loop)) && implied(low, path, low.path),
    );
  }

  join(low: Lowering, tasks: readonly Task[], node: At): void {
    const pending = tasks.filter((task) => !task.joined);
    if (pending.length === 0) return;
    for (const task of pending) this.#mayJoin(low, task, node);
    if (low.tries > 0) this.#rejectTogether(low, pending, node);
    for (const task of pending) task.joined = true;
    this.#underWay = this.#underWay.filter((task) => !task.joined);
    this.#close(low, node);
    this.#narrow(low, pending, node);
  }

  #mayJoin(low: Lowering, task: Task, node: At): void {
    const where = "write `await` where the call is made";
    if (task.tries !== low.tries)
      low.refuse(
        node,
        "FC2311",
        "this waits inside a `try` for what was started outside it, or the other way round",
        where,
      );
    if (!this.#flow.forks.some((fork) => fork.holds(task)))
      low.refuse(
        node,
        "FC2311",
        "this waits for a call that was started outside this function or loop",
        where,
      );
    if (!implied(low, low.path, task.reach))
      low.refuse(
        node,
        "FC2311",
        "this waits on some paths only for a call that is under way on others too",
        "wait for it before anything can end early, or start it later",
      );
  }

  /** SOUNDNESS: `Promise.all` is rejected as soon as one is, and what catches that runs beside the others. */
  #rejectTogether(low: Lowering, tasks: readonly Task[], node: At): void {
    const rejecting = tasks.filter((task) => task.exits.length > 0);
    const ahead = rejecting.some((one) =>
      tasks.some(
        (other) => other.callsLater && (other !== one || one.isMany) && !exclude(low, one.path, other.path),
      ),
    );
    if (ahead)
      low.refuse(
        node,
        "FC2324",
        "one of these may fail while another has calls to make, and JavaScript goes on in `catch` or `finally` in between",
        "catch failures inside each function, or use `Promise.allSettled`, which waits for all of them",
      );
  }

  /** Leaves where a task was rejected. */
  #narrow(low: Lowering, tasks: readonly Task[], node: At): void {
    const rejecting = tasks.filter((task) => task.exits.length > 0);
    const entry = low.path;
    const state = new Map(low.state);
    const guarded = (guard: Expr, from: Expr): Expr =>
      same(from, entry) ? guard : low.narrowed(guard, "thrown", node);
    const [only] = rejecting;
    if (only === undefined) return;
    if (low.tries > 0 && this.#flow.forks.length > 0)
      low.refuse(node, "FC2324", "if this fails, the calls in progress are not awaited", together);
    if (rejecting.length === 1 && same(only.path, entry)) {
      for (const exit of only.exits) low.exits.push({ ...exit, state });
      low.path = only.end;
    } else {
      const exits = rejecting.flatMap((task) =>
        task.exits.map((exit) => ({ ...exit, guard: guarded(exit.guard, task.path) })),
      );
      const thrown = low.named(anyOf(exits.map(({ guard }) => guard)), "thrown", node);
      const [first] = exits;
      if (exits.length > 1) lose(low.catching);
      // Of several it is not known which was the first in time, and so not what it was rejected with.
      low.exits.push(
        first?.value !== undefined && exits.length === 1
          ? { ...first, guard: thrown, state }
          : { kind: "throw", guard: thrown, state },
      );
      low.path = low.named(and(entry, not(thrown)), "going", node);
    }
    // Outside every `try` the run ends there, so that nobody awaits the others: they may be awaited here.
    if (low.tries === 0)
      for (const task of this.#underWay) if (implied(low, entry, task.reach)) task.reach = low.path;
  }

  // ── branches ───────────────────────────────────────────────────────────────────────────────────────────

  /** Finds the place for a command that comes next. */
  place(low: Lowering, command: Command, node: At): void {
    const flow = this.#flow;
    if (isQuiet(command, flow.forks.length > 0)) return;
    this.#continue(low, node);
    const fork = flow.forks.at(-1);
    if (fork === undefined) {
      if (flow.started) return;
      flow.started = true;
      low.buffer = flow.commands;
    } else if (fork.own === undefined) {
      fork.own = { commands: [] };
      fork.threads.push(fork.own);
      low.buffer = fork.own.commands;
    }
  }

  #write(low: Lowering, commands: readonly Command[], node: At): void {
    for (const command of commands) {
      this.place(low, command, node);
      low.buffer.push(command);
    }
  }

  /** The flow goes on after some of the tasks have been awaited, beside those that have not. */
  #continue(low: Lowering, node: At): void {
    const fork = this.#flow.forks.at(-1);
    if (fork?.after === undefined) return;
    if (fork.forget()) {
      // The awaited value made no call: nothing has happened yet.
      append(fork.outer, fork.after);
      fork.after = undefined;
      low.buffer = fork.own?.commands ?? fork.outer;
      return;
    }
    this.#inOrder(fork);
    const hasCalled = fork.threads.some(({ task }) => task?.joined && this.#hasCalled(low, task));
    if (fork.own === undefined && !hasCalled)
      low.refuse(
        node,
        "FC2324",
        "what was awaited may have made no call, and JavaScript then makes this one after those that are under way",
        together,
      );
    const own = fork.joined((branches) => this.#parallel(low, branches, node));
    if (own === undefined)
      low.refuse(
        node,
        "FC2324",
        "this comes after one of the calls that are under way and beside another that was started later",
        together,
      );
    low.buffer = own.commands;
  }

  /** Closes the forks whose tasks have all been awaited. */
  #close(low: Lowering, node: At): void {
    const { forks } = this.#flow;
    for (let fork = forks.at(-1); fork?.isAwaited; fork = forks.at(-1)) {
      this.#inOrder(fork);
      const { leaking } = fork;
      if (leaking !== undefined) refuseChange(leaking.task?.spot ?? low.spot(node));
      forks.pop();
      low.buffer = fork.outer;
      this.#write(low, this.#parallel(low, fork.threads, node), node);
      this.#write(low, fork.after ?? [], node);
    }
    const last = forks.at(-1);
    const open = forks.find((fork) => fork.threads.some((thread) => thread.task?.joined && fork !== last));
    if (open !== undefined)
      low.refuse(node, "FC2324", "a call that was started later is still under way here", together);
    if (last?.threads.some((thread) => thread.task?.joined) && last.after === undefined)
      last.after = low.buffer = [];
  }

  #parallel(low: Lowering, threads: readonly Thread[], node: At): readonly Command[] {
    const filled = threads.filter(({ commands }) => commands.length > 0);
    if (filled.length <= 1) return filled[0]?.commands ?? [];
    const command: Command = { kind: "parallel", branches: filled.map(({ commands }) => commands) };
    low.spots.set(command, low.spot(node));
    return [command];
  }

  /** SOUNDNESS: a branch starts when it is written, and JavaScript would start those after it first. */
  #inOrder(fork: Fork): void {
    const late = fork.threads.slice(0, -1).find(({ task }) => task?.isLate);
    const many = fork.threads.find(({ task }) => task?.isMany && task.isLate);
    const { task } = late ?? many ?? {};
    if (task !== undefined)
      refuse(
        task.spot,
        "FC2324",
        "this function waits for something else before its first call, and JavaScript makes the calls beside it first",
        "make its first call before it awaits anything else",
      );
  }

  /** Compiles the body of a loop, which has its own commands. */
  inLoop<T>(low: Lowering, body: () => T): T {
    const outer = { flow: this.#flow, buffer: low.buffer, around: low.around };
    low.around = [...low.around, low.buffer];
    low.buffer = [];
    this.#flow = new Flow(low.buffer, true);
    this.#loops.push(++this.#count);
    try {
      return body();
    } finally {
      low.around = outer.around;
      this.#loops.pop();
      this.#flow = outer.flow;
      low.buffer = outer.buffer;
    }
  }

  get underWay(): readonly Task[] {
    return this.#underWay;
  }

  snapshot(): Snapshot {
    return { flow: this.#flow, forks: [...this.#flow.forks], underWay: this.#underWay };
  }

  /** Goes back to what was under way before something was tried out. */
  restore({ flow, forks, underWay }: Snapshot): void {
    this.#flow = flow;
    flow.forks.splice(0, flow.forks.length, ...forks);
    this.#underWay = underWay;
  }

  /** Returns whether what is tried out here can be forgotten: nothing runs beside it. */
  get canGoBack(): boolean {
    return this.#flow.forks.length === 0;
  }

  mark(): TasksMark {
    const { started, commands } = this.#flow;
    return { ...this.snapshot(), started, commands: commands.length, open: this.#open.map(copyOf) };
  }

  back(mark: TasksMark): void {
    this.restore(mark);
    this.#flow.started = mark.started;
    this.#flow.commands.length = mark.commands;
    mark.open.forEach((before, i) => {
      const task = this.#open[i];
      if (task !== undefined) Object.assign(task, copyOf(before));
    });
  }

  /** Refuses a call that was started since then and that nobody has awaited. */
  noneSince(before: readonly Task[]): void {
    const left = this.#underWay.find((task) => !before.includes(task));
    if (left !== undefined)
      refuse(left.spot, "FC2311", "this call is not awaited", "write `await` before it");
  }

  // ── variables ──────────────────────────────────────────────────────────────────────────────────────────

  /** Another iteration begins to be compiled: nothing of it has waited yet. */
  again(): void {
    const task = this.#open.at(-1);
    if (!task?.isMany) return;
    for (const list of [task.waits, task.busy, task.idle, task.calls]) list.length = 0;
    for (const set of [task.readLater, task.changed, task.changedLater]) set.clear();
  }

  /** Refuses iterations that see what others change. */
  apart(low: Lowering, node: At): void {
    const task = this.#open.at(-1);
    if (task === undefined || !task.isMany) return;
    if (task.changedLater.size > 0)
      low.refuse(
        node,
        "FC2324",
        "this function changes a variable after it waited, and the order in which the calls end decides what it holds",
        "return what it finds, and use what `await Promise.all(…)` gives",
      );
    if ([...task.changed].some((slot) => task.readLater.has(slot))) refuseChange(low.spot(node));
  }

  read(slot: number): void {
    for (const task of this.#open)
      if (task.waits.length > 0 && slot < task.firstSlot) task.readLater.add(slot);
    const other = this.#underWay.find((task) => task.changedLater.has(slot));
    if (other !== undefined) refuseChange(other.spot);
  }

  change(low: Lowering, slot: number, node: At): void {
    for (const task of this.#open) {
      if (slot >= task.firstSlot) continue;
      task.changed.add(slot);
      if (task.waits.length > 0) task.changedLater.add(slot);
    }
    const other = this.#underWay.find((task) => task.changedLater.has(slot) || task.readLater.has(slot));
    if (other !== undefined) refuseChange(low.spot(node));
  }
}

/** Returns whether it makes no call. Beside tasks that are under way, what may stop the run stops it before or after all of them. */
function isQuiet(command: Command, isForked: boolean): boolean {
  // A loop whose turns are not known may stop the run.
  if (command.kind === "while") return isForked && command.body.every((one) => isQuiet(one, isForked));
  if (command.kind === "for") return command.body.every((one) => isQuiet(one, isForked));
  // A reading is made at once, and is in no order with calls.
  if (command.kind === "call") return isReading(command.tool);
  return command.kind === "let" || (command.kind === "require" && isForked);
}

function refuseChange(spot: Spot): never {
  return refuse(
    spot,
    "FC2324",
    "a function that is under way reads or changes this variable after it waited",
    help,
  );
}

function newTask(low: Lowering, node: At, loops: number, isMany: boolean): Task {
  return {
    spot: low.spot(node),
    isMany,
    firstSlot: low.nextSlot,
    loops: isMany ? loops + 1 : loops,
    tries: low.tries,
    calls: [],
    waits: [],
    busy: [],
    idle: [],
    readLater: new Set(),
    changed: new Set(),
    changedLater: new Set(),
    callsLater: false,
    isLate: false,
    exits: [],
    path: low.path,
    end: low.path,
    reach: low.path,
    joined: false,
  };
}

/** The tasks of a promise, of both of two that a condition chose from. */
export function tasksOf(...vals: readonly Val[]): Pick<PromiseVal, "tasks"> {
  const tasks = vals.flatMap((val) => (val.kind === "promise" ? (val.tasks ?? []) : []));
  return tasks.length === 0 ? {} : { tasks: [...new Set(tasks)] };
}

/** Returns true if two paths are plainly exclusive. */
function exclude(low: Lowering, a: Expr, b: Expr): boolean {
  const others = atoms(low, b);
  return atoms(low, a).some((atom) => others.some((one) => same(not(atom), one)));
}

/** Returns whether the first holds wherever the second does, as far as that is plain. */
function implied(low: Lowering, a: Expr, b: Expr): boolean {
  const there = atoms(low, b);
  return atoms(low, a).every((atom) => there.some((one) => same(one, atom)));
}

/** LIMIT: definitions that are looked through. */
const mostSteps = 200;

/** Returns facts that the path condition implies. */
function atoms(low: Lowering, path: Expr): Expr[] {
  const found: Expr[] = [];
  const pending: Expr[] = [path];
  for (let steps = 0; steps < mostSteps; steps++) {
    const expr = pending.pop();
    if (expr === undefined) return found;
    if (expr.kind === "op" && expr.op === "and") pending.push(...partsOf(expr));
    else if (!(expr.kind === "bool" && expr.value)) found.push(expr);
    const definition = expr.kind === "var" ? low.definitions.get(expr.name) : undefined;
    if (definition !== undefined) pending.push(definition);
  }
  return [...found, ...pending];
}
