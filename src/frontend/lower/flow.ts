/**
 * Commands that are written at the same time. A *flow* is a sequence of commands: the program, the body of a loop, a
 * task. A flow *forks* where it starts a task and goes on without awaiting it; the fork closes where the last task of it
 * is awaited, and becomes one `parallel`. See docs/adr/0042-a-task-is-a-branch.md.
 */
import { append, type Command, commandsIn, exprsOf, namesLeftBy, variablesOf } from "../../ir/index.ts";
import type { Task } from "./tasks.ts";

/** One branch: the commands of a task, or those of the flow that started the tasks. */
export interface Thread {
  readonly commands: Command[];
  /** Absent for the flow itself. */
  readonly task?: Task;
}

export class Fork {
  /** In the order in which they start. */
  threads: Thread[] = [];
  /** The flow itself, once it has made a call since the fork. */
  own: Thread | undefined;
  /** Definitions since some of the tasks were awaited: they may read the results of those. */
  after: Command[] | undefined;
  /** The position of the flow's output when it forked. */
  readonly outer: Command[];
  readonly #from: number;

  constructor(outer: Command[]) {
    this.outer = outer;
    this.#from = outer.length;
  }

  /** A branch that leaves a name to others than those who await it: to what is beside it, or comes before. */
  get leaking(): Thread | undefined {
    const before = namesReadBy(this.outer.slice(this.#from));
    const read = this.threads.map(({ commands }) => namesReadBy(commands));
    return this.threads.find((thread, i) => {
      const others = [before, ...read.filter((_, j) => j !== i)];
      const left = thread.commands.flatMap(namesLeftBy);
      return left.some((name) => others.some((names) => names.has(name)));
    });
  }

  holds(task: Task): boolean {
    return this.threads.some((thread) => thread.task === task);
  }

  get isAwaited(): boolean {
    return this.threads.every((thread) => this.isJoined(thread));
  }

  /** Returns whether the flow goes on only after it. */
  isJoined(thread: Thread): boolean {
    return thread === this.own || thread.task?.joined === true;
  }

  /** Forgets tasks that have made no call. Returns whether there were no others among those that have been awaited. */
  forget(): boolean {
    const joined = this.threads.filter((thread) => thread.task?.joined);
    if (joined.some(({ commands }) => commands.length > 0)) return false;
    this.threads = this.threads.filter((thread) => !joined.includes(thread));
    return true;
  }

  /**
   * Makes one branch of those that the flow has awaited, which it then continues. Returns undefined if a task that is
   * still under way was started between two of them.
   */
  joined(parallel: (branches: readonly Thread[]) => readonly Command[]): Thread | undefined {
    const joined = this.threads.filter((thread) => this.isJoined(thread));
    const first = this.threads.findIndex((thread) => this.isJoined(thread));
    const run = this.threads.slice(first, first + joined.length);
    if (!run.every((thread) => this.isJoined(thread))) return undefined;
    const own: Thread = { commands: [...parallel(joined)] };
    append(own.commands, this.after ?? []);
    this.threads.splice(first, joined.length, own);
    this.own = own;
    this.after = undefined;
    return own;
  }
}

function namesReadBy(commands: readonly Command[]): Set<string> {
  return new Set([...commandsIn(commands)].flatMap(exprsOf).flatMap((expr) => [...variablesOf(expr)]));
}

export class Flow {
  readonly forks: Fork[] = [];
  readonly commands: Command[];
  /** True if it has made a call; definitions before that go where the task was started, so that others can read them. */
  started: boolean;

  constructor(commands: Command[], started: boolean) {
    this.commands = commands;
    this.started = started;
  }
}
