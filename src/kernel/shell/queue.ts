/**
 * Commands waiting for the ledger. Those that came in while it was busy are decided one after the other and kept in one
 * transaction; each caller hears of it when the entries are durable.
 */
import type { Command } from "../core/command.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { randomName } from "../digest.ts";
import { seal } from "../trace/entry.ts";
import type { StoredEntry } from "../trace/read.ts";
import { LedgerBroken, type Position, positionAfter, stepOf, storedOf } from "./follow.ts";
import type { Log } from "./log.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

interface Waiting {
  /** Undefined for one who only wants to know what others wrote. */
  readonly command: Command | undefined;
  readonly resolve: (outcome: Outcome | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Result of a transaction that is not committed. INVARIANT: no other transaction, here or elsewhere, holds one of its
 * entries.
 */
interface Staged {
  readonly position: Position;
  readonly entries: readonly StoredEntry[];
  readonly outcomes: readonly Outcome[];
}

/**
 * LIMIT: commands in one transaction, the bytes of its entries after which the rest waits for the next one, and how often
 * one is tried again that may have been kept or not.
 */
const groupLength = 256;
const groupBytes = 8 * 1024 * 1024;
const attempts = 5;

export class Queue {
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #committed: () => void;
  /** Each entry has this and a number in it, so that nobody takes it for one of theirs. */
  readonly #writer = randomName();
  #written = 0;
  #position: Position;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Log, position: Position, clock: () => number, committed: () => void) {
    this.#log = log;
    this.#position = position;
    this.#clock = clock;
    this.#committed = committed;
  }

  get state(): KernelState {
    return this.#position.state;
  }

  /** The last state that an entry vouches for, of those that this process has come through. */
  get vouched(): KernelState | undefined {
    return this.#position.vouched;
  }

  async add(command: Command): Promise<Outcome> {
    const outcome = await this.#wait(command);
    if (outcome === undefined) throw new TypeError("a command without an outcome");
    return outcome;
  }

  /** Takes in what others have written. */
  async refresh(): Promise<void> {
    await this.#wait(undefined);
  }

  #wait(command: Command | undefined): Promise<Outcome | undefined> {
    const outcome = new Promise<Outcome | undefined>((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject });
    });
    this.#start();
    return outcome;
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run().then(() => this.#stopped());
  }

  #stopped(): void {
    this.#running = undefined;
    if (this.#waiting.length > 0) this.#start();
  }

  async #run(): Promise<void> {
    // Gives calls of the same moment the chance to be in the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, groupLength);
      try {
        const outcomes = await this.#commit(group.flatMap(({ command }) => command ?? []));
        this.#waiting.unshift(...answered(group, outcomes));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
  }

  /**
   * Decides, and takes the new state once it is known to be kept. After an `InDoubt` the ledger is asked again: it is alone
   * with the log then, so what was kept before is among the entries, and what is not there will never be.
   */
  async #commit(commands: readonly Command[]): Promise<readonly Outcome[]> {
    const tried: Staged[] = [];
    for (let attempt = 1; ; attempt++) {
      let staged: Staged | undefined;
      try {
        await this.#log.transact(this.state.name, this.state.seq, (after) => {
          const kept = keptOf(tried, after);
          staged = kept === undefined ? this.#stage(after, commands) : this.#followed(after, kept);
          if (kept === undefined) tried.push(staged);
          return staged.entries;
        });
      } catch (error) {
        if (!isInDoubt(error) || attempt >= attempts) throw error;
        continue;
      }
      if (staged === undefined) throw new LedgerBroken("the ledger asked for nothing and kept nothing");
      this.#position = staged.position;
      if (staged.outcomes.length > 0) this.#committed();
      return staged.outcomes;
    }
  }

  /** Always starts from the last state that is known to be kept, since the ledger may ask again. */
  #stage(after: readonly StoredEntry[], commands: readonly Command[]): Staged {
    let { position } = this.#followed(after);
    const [entries, outcomes]: [StoredEntry[], Outcome[]] = [[], []];
    let bytes = 0;
    for (const command of commands) {
      if (bytes > groupBytes) break;
      const decision = decide(position.state, command, this.#clock());
      const step = seal(position.state, decision, `${this.#writer}-${++this.#written}`);
      position = positionAfter(position, step);
      const stored = storedOf(step.entry);
      bytes += stored.bytes.length;
      entries.push(stored);
      outcomes.push(outcomeOf(decision, step));
    }
    return { position, entries, outcomes };
  }

  /** Nothing new: what is there, and how what was tried before came out. */
  #followed(after: readonly StoredEntry[], kept?: Staged): Staged {
    let position = this.#position;
    for (const stored of after) position = positionAfter(position, stepOf(position.state, stored));
    return { position, entries: [], outcomes: kept?.outcomes ?? [] };
  }
}

/** Tells those who have an outcome, and gives those who have none yet. */
function answered(group: readonly Waiting[], outcomes: readonly Outcome[]): readonly Waiting[] {
  const rest: Waiting[] = [];
  let next = 0;
  for (const waiting of group) {
    if (waiting.command === undefined) waiting.resolve(undefined);
    else if (next < outcomes.length) waiting.resolve(outcomes[next++]);
    else rest.push(waiting);
  }
  return rest;
}

/** The one of those tried that is in the log. By its last entry, which is like no other one. */
function keptOf(tried: readonly Staged[], after: readonly StoredEntry[]): Staged | undefined {
  return tried.find(({ entries }) => {
    const last = entries.at(-1);
    return last !== undefined && after.some(({ hash }) => hash === last.hash);
  });
}

/** By name: the class belongs to the ledgers, which the kernel does not know. */
function isInDoubt(error: unknown): boolean {
  return error instanceof Error && error.name === "InDoubt";
}
