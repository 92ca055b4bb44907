/**
 * A kernel on a ledger. Calls of one process are queued and committed in groups; entries that other processes wrote are
 * done again before anything new is decided, so that everyone decides on the same state.
 */
import { type Action, decodeAction, frozenAction } from "../core/action.ts";
import { type Command, type CommandKind, decodeCommand, malformed } from "../core/command.ts";
import type { FunctionInvariant } from "../core/function.ts";
import { type StateView, viewOf } from "../core/function.ts";
import { policyForKernel } from "../core/policy.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { limits } from "../limits.ts";
import { type Decoded, problem } from "../problem.ts";
import { why } from "../reasons.ts";
import { type Checkpoint, signCheckpoint } from "../trace/checkpoint.ts";
import { decodeInitial, openKernel } from "../trace/open.ts";
import { readEntry, reopen, type StoredEntry } from "../trace/read.ts";
import { get } from "../trie.ts";
import { canonicalText } from "../values/canonical.ts";
import type { Plain } from "../values/plain.ts";
import { type Compensated, compensate } from "./compensate.ts";
import { follow, LedgerBroken, type Position, restored, storedOf } from "./follow.ts";
import type { Log } from "./log.ts";
import {
  type Evaluation,
  evaluationOf,
  type InDoubtReservation,
  inDoubtOf,
  type Outcome,
  type Status,
  statusOf,
} from "./outcome.ts";
import { type Performed, type PerformOptions, perform } from "./perform.ts";
import { Queue } from "./queue.ts";
import { Snapshots } from "./snapshots.ts";

export interface KernelOptions {
  readonly ledger: Log;
  /** The name of the kernel on its ledger. */
  readonly name?: string;
  /** The policy as data, or as `decodePolicy` returned it. An existing kernel must have the same policy. */
  readonly policy?: unknown;
  readonly functions?: readonly FunctionInvariant[];
  /** The initial state, for a kernel that is not there yet. */
  readonly state?: unknown;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly checkpoint?: CheckpointOptions;
  /** The least number of entries between two snapshots, 1,000 by default; 0 for none. A big state has fewer. */
  readonly snapshotEvery?: number;
}

export interface CheckpointOptions {
  /** Ed25519, in PEM. */
  readonly privateKey: string;
  /** Entries between two checkpoints. */
  readonly every: number;
  /** Stores a checkpoint where a writer of the ledger cannot change it. */
  readonly keep: (checkpoint: Checkpoint) => void;
}

export class Kernel {
  readonly #options: KernelOptions;
  readonly #queue: Queue;
  readonly #snapshots: Snapshots;
  #signed = 0;

  private constructor(options: KernelOptions, position: Position, saved: number) {
    const { ledger, clock, snapshotEvery = 1_000 } = options;
    this.#options = options;
    this.#snapshots = new Snapshots(ledger, snapshotEvery, saved);
    this.#queue = new Queue(ledger, position, clock, () => {
      this.#checkpointIfDue();
      this.#snapshots.saveIfDue(this.#queue.vouched);
    });
  }

  /** Opens a kernel, or makes it if the ledger has none of that name. Bad input is a problem, nothing is changed. */
  static async open(options: KernelOptions): Promise<Decoded<Kernel>> {
    const { ledger, name = "main", clock, functions = [] } = options;
    const given = options.policy === undefined ? undefined : policyForKernel(options.policy, functions);
    if (given?.ok === false) return given;
    const reading = given === undefined ? { functions } : { functions, known: given.value };
    const snapshot = await restored(ledger, name, reading);
    let position = await follow(ledger, name, reading, snapshot);
    if (position === undefined) {
      const policy = given ?? policyForKernel({}, functions);
      const initial = decodeInitial(options.state ?? {});
      if (!policy.ok) return policy;
      if (!initial.ok) return initial;
      const opened = openKernel(name, policy.value, initial.value, clock());
      if (!opened.ok) return opened;
      const { entry } = opened.value;
      const first = storedOf(entry);
      if (first.bytes.length > limits.openingBytes) {
        return { ok: false, problem: problem("opening too big", { most: limits.openingBytes }) };
      }
      // What could not be read again must not become the first entry of anything.
      const parts = readEntry(entry.text);
      if (!parts.ok) return parts;
      const again = reopen(parts.value, { functions, known: policy.value });
      if (!again.ok) return again;
      await ledger.transact(name, 0, (after) => (after.length > 0 ? [] : [first]));
      position = await follow(ledger, name, reading);
    }
    if (position === undefined) throw new LedgerBroken("the ledger did not keep the first entry");
    if (given !== undefined && given.value.digest !== position.state.policy.digest) {
      return { ok: false, problem: problem("another policy", { kernel: name }) };
    }
    return { ok: true, value: new Kernel(options, position, snapshot?.seq ?? 0) };
  }

  /** Reads an action once, for one that is judged many times. */
  prepare(action: unknown): Decoded<Action> {
    const read = decodeAction(action, this.#state.policy);
    return read.ok ? { ok: true, value: frozenAction(read.value) } : read;
  }

  /** A dry run on the state as this process knows it. Changes nothing, and answers for any input. */
  evaluate(action: unknown): Evaluation {
    const command = this.#withAction("execute", action);
    return evaluationOf(decide(this.#state, command, this.#options.clock()), this.#state.version);
  }

  /**
   * Decides, and keeps the step or the refusal. Rejects only if the ledger fails: then nothing was kept, unless the error
   * is named `InDoubt`, and the entries that are there will tell.
   */
  execute(action: unknown): Promise<Outcome> {
    return this.#queue.add(this.#withAction("execute", action));
  }

  /** Refuses what could not even be read as data, such as a line that is not JSON, and keeps that as an entry too. */
  refuse(message: string): Promise<Outcome> {
    return this.#queue.add(malformed("execute", why("said", { text: message })));
  }

  /** Holds the charge of an action whose real effects come next. */
  reserve(action: unknown, key?: string): Promise<Outcome> {
    const command = this.#withAction("reserve", action);
    if (command.kind !== "reserve" || key === undefined) return this.#queue.add(command);
    return this.#queue.add(withKey(command, key));
  }

  settle(
    receipt: string,
    how: { readonly cost?: unknown; readonly outcome?: unknown; readonly drop?: boolean } = {},
  ): Promise<Outcome> {
    return this.#ask("settle", () => ({ ...how, receipt }));
  }

  release(receipt: string, reason: string): Promise<Outcome> {
    return this.#ask("release", () => ({ receipt, reason }));
  }

  /** Rolls back one step, or all from one to another. */
  rollback(from: string, to: string = from): Promise<Outcome> {
    return this.#ask("rollback", () => ({ from, to }));
  }

  /** Rolls back, and performs the `undo` of each step, newest first. */
  compensate<T>(
    from: string,
    handler: (undo: Plain, receipt: string) => T | Promise<T>,
    to: string = from,
  ): Promise<Compensated<T>> {
    return compensate(this, from, handler, to);
  }

  /** Reserves, runs the handler, and settles or releases. */
  perform<T>(
    action: unknown,
    handler: (receipt: string) => T | Promise<T>,
    options?: PerformOptions<T>,
  ): Promise<Performed<T>> {
    return perform(this, action, handler, options);
  }

  /** Sets a protected key. For operators: a limited caller must not be able to call this. */
  grant(key: string, value: unknown, by?: string): Promise<Outcome> {
    return this.#ask("grant", () => ({ key, value, ...(by === undefined ? {} : { by }) }));
  }

  observe(probe: string, values: unknown, take = false): Promise<Outcome> {
    return this.#ask("observe", () => ({ probe, values, take }));
  }

  stop(reason: string): Promise<Outcome> {
    return this.#ask("stop", () => ({ reason }));
  }

  resume(reason: string): Promise<Outcome> {
    return this.#ask("resume", () => ({ reason }));
  }

  /** Takes in what others have written. */
  async refresh(): Promise<void> {
    await this.#queue.refresh();
  }

  status(): Status {
    return statusOf(this.#state, this.#options.clock());
  }

  /** True if a rule may judge concurrent actions differently from sequential ones. */
  get needsOrder(): boolean {
    return this.#state.policy.invariants.some(({ rule }) => rule.isOrderFree !== true);
  }

  /** Version of the state that this process knows. */
  get version(): number {
    return this.#state.version;
  }

  /** The keys and values as this process knows them. */
  view(): StateView {
    return viewOf(this.#state.data);
  }

  /** Returns the value at a key as canonical JSON with all digits; undefined if the key is absent. */
  cell(key: string): string | undefined {
    const value = get(this.#state.data, key);
    return value === undefined ? undefined : canonicalText(value);
  }

  /** The trace, as the ledger keeps it. */
  entries(from: number, limit: number): Promise<readonly StoredEntry[]> {
    return this.#options.ledger.read(this.#state.name, from, limit);
  }

  inDoubt(): readonly InDoubtReservation[] {
    return inDoubtOf(this.#state);
  }

  /** Waits for what is under way, and leaves a snapshot and a last checkpoint. The ledger stays open for others. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#snapshots.end(this.#queue.vouched);
    if (this.#options.checkpoint !== undefined && this.#signed < this.#state.seq) this.#sign();
  }

  get #state(): KernelState {
    return this.#queue.state;
  }

  /** Putting the input together may already fail, if it is a proxy. */
  #ask(kind: CommandKind, input: () => unknown): Promise<Outcome> {
    let given: unknown;
    try {
      given = input();
    } catch {
      given = undefined;
    }
    return this.#queue.add(decodeCommand(kind, given, this.#state.policy));
  }

  #withAction(kind: "execute" | "reserve", input: unknown): Command {
    const action = decodeAction(input, this.#state.policy);
    return action.ok ? { kind, action: action.value } : malformed(kind, action.problem);
  }

  #checkpointIfDue(): void {
    const { checkpoint } = this.#options;
    if (checkpoint === undefined || this.#state.seq - this.#signed < checkpoint.every) return;
    try {
      this.#sign();
    } catch {
      // The steps are committed, and the caller must learn that. The next commit tries again, and `close` tells.
    }
  }

  #sign(): void {
    const { checkpoint } = this.#options;
    if (checkpoint === undefined) return;
    const { name: kernel, seq: length, head, time } = this.#state;
    checkpoint.keep(signCheckpoint({ kernel, length, head, time }, checkpoint.privateKey));
    this.#signed = length;
  }
}

function withKey(command: Command & { kind: "reserve" }, key: unknown): Command {
  const isNoName =
    typeof key !== "string" || key === "" || key.length > limits.nameLength || /\p{Cs}/u.test(key);
  return isNoName ? malformed("reserve", why("idempotency key is no name")) : { ...command, key };
}
