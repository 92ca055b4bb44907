/**
 * Commands waiting for the ledger. Those that came in while it was busy are decided one after the other and kept in one
 * transaction; each caller hears of it when the entries are durable.
 */
import type { Command } from "../core/command.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { sha256 } from "../digest.ts";
import { seal } from "../trace/entry.ts";
import { readEntry, replay } from "../trace/read.ts";
import type { StoredEntry } from "../trace/verify.ts";
import { LedgerBroken, storedOf } from "./follow.ts";
import type { Log } from "./log.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

interface Waiting {
  /** Undefined for one who only wants to know what others wrote. */
  readonly command: Command | undefined;
  readonly resolve: (outcome: Outcome | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What a transaction comes to, if it is kept. */
interface Staged {
  readonly state: KernelState;
  readonly entries: readonly StoredEntry[];
  readonly outcomes: readonly Outcome[];
}

/** LIMIT: commands in one transaction, and how often one is tried again that may have been kept or not. */
const groupLength = 256;
const attempts = 5;

export class Queue {
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #committed: () => void;
  #state: KernelState;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Log, state: KernelState, clock: () => number, committed: () => void) {
    this.#log = log;
    this.#state = state;
    this.#clock = clock;
    this.#committed = committed;
  }

  get state(): KernelState {
    return this.#state;
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
        const outcomes = (await this.#commit(group.flatMap(({ command }) => command ?? []))).values();
        for (const { command, resolve } of group) {
          resolve(command === undefined ? undefined : outcomes.next().value);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
  }

  async #commit(commands: readonly Command[]): Promise<readonly Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      let staged: Staged | undefined;
      try {
        await this.#log.transact(this.#state.name, this.#state.seq, (after) => {
          staged = this.#stage(after, commands);
          return staged.entries;
        });
      } catch (error) {
        if (!isInDoubt(error) || attempt >= attempts) throw error;
        if (staged === undefined || !(await this.#wasKept(staged))) continue;
      }
      if (staged === undefined) throw new LedgerBroken("the ledger asked for nothing and kept nothing");
      this.#state = staged.state;
      if (staged.entries.length > 0) this.#committed();
      return staged.outcomes;
    }
  }

  /** Always starts from the last state that is known to be kept, since the ledger may ask again. */
  #stage(after: readonly StoredEntry[], commands: readonly Command[]): Staged {
    let state = this.#state;
    for (const stored of after) state = followed(state, stored);
    const [entries, outcomes]: [StoredEntry[], Outcome[]] = [[], []];
    for (const command of commands) {
      const decision = decide(state, command, this.#clock());
      const step = seal(state, decision);
      state = step.state;
      entries.push(storedOf(step.entry));
      outcomes.push(outcomeOf(decision, step));
    }
    return { state, entries, outcomes };
  }

  /** The ledger went away while it was committing: reading tells. A hash is one entry and no other. */
  async #wasKept({ entries }: Staged): Promise<boolean> {
    const last = entries.at(-1);
    if (last === undefined) return true;
    const [found] = await this.#log.read(this.#state.name, last.seq, 1);
    return found?.hash === last.hash;
  }
}

function followed(state: KernelState, stored: StoredEntry): KernelState {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stored.bytes);
  const broken = (what: string) => new LedgerBroken(`entry ${stored.seq}: ${what}`);
  if (sha256(stored.bytes) !== stored.hash) throw broken("the hash is not that of the entry");
  const parts = readEntry(text);
  if (!parts.ok) throw broken(parts.problem.message);
  const step = replay(state, text, parts.value);
  if (!step.ok) throw broken(step.problem.message);
  return step.value.state;
}

/** By name: the class belongs to the ledgers, which the kernel does not know. */
function isInDoubt(error: unknown): boolean {
  return error instanceof Error && error.name === "InDoubt";
}
