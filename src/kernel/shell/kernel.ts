/**
 * A kernel on a ledger. Calls of one process are queued and committed in groups; entries that other processes wrote are
 * done again before anything new is decided, so that everyone decides on the same state.
 */
import { actionDigest, attestedText } from "../attestation.ts";
import { type Action, decodeAction, frozenAction } from "../core/action.ts";
import { gatesOf } from "../core/attest.ts";
import {
  type Command,
  type CommandKind,
  decodeCommand,
  malformed,
  readAttestations,
} from "../core/command.ts";
import type { FunctionInvariant } from "../core/function.ts";
import { type StateView, viewOf } from "../core/function.ts";
import { policyForKernel } from "../core/policy.ts";
import { keyOf, localPrincipal } from "../core/principal.ts";
import type { KernelState, Stopped } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, type Problem, problem, refuse } from "../problem.ts";
import { why } from "../reasons.ts";
import { isPair, privateKeyOf } from "../signature.ts";
import { type Checkpoint, signCheckpoint } from "../trace/checkpoint.ts";
import { decodeInitial, openKernel } from "../trace/open.ts";
import { readEntry, readStored, reopen, type StoredEntry } from "../trace/read.ts";
import { get } from "../trie.ts";
import { canonicalText } from "../values/canonical.ts";
import { checkText, nameOf, readValue } from "../values/decode.ts";
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
  reservationsOn,
  type Status,
  statusOf,
} from "./outcome.ts";
import { type Performed, type PerformOptions, perform } from "./perform.ts";
import { type Credential, isInDoubt, Queue } from "./queue.ts";
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
  /** Checkpoints while it runs; several have several keys, or are kept in several places. */
  readonly checkpoint?: CheckpointOptions | readonly CheckpointOptions[];
  /** The principal of the caller, `local` by default, and its Ed25519 key in PEM if the policy declares one. */
  readonly principal?: string;
  readonly privateKey?: string;
  /** The least number of entries between two snapshots, 1,000 by default; 0 for none. A big state has fewer. */
  readonly snapshotEvery?: number;
}

/** The names that an attestation of an action must hold, and the gates that ask for some. */
export interface AttestationRequest {
  /** The digest of the action, and the canonical JSON that it is of. */
  readonly action: string;
  readonly text: string;
  readonly kernel: string;
  /** The version of the state now. */
  readonly version: number;
  readonly gates: readonly {
    readonly rule: string;
    readonly quorum: number;
    /** Fingerprints of the keys that count. */
    readonly keys: readonly string[];
    readonly maxAgeMs: number;
  }[];
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
  readonly #credential: Credential;
  /** Entries that the last checkpoint of each kind covers. */
  readonly #signed: number[] = [];

  private constructor(
    options: KernelOptions,
    credential: Credential,
    from: Position | Kernel,
    saved: number,
  ) {
    const { ledger, clock, snapshotEvery = 1_000 } = options;
    this.#options = options;
    this.#credential = credential;
    if (from instanceof Kernel) {
      this.#snapshots = from.#snapshots;
      this.#queue = from.#queue;
      return;
    }
    this.#snapshots = new Snapshots(ledger, snapshotEvery, saved);
    this.#queue = new Queue(ledger, from, clock, () => {
      this.#checkpointIfDue();
      this.#snapshots.saveIfDue(this.#queue.vouched);
    });
  }

  /** Opens a kernel, or makes it if the ledger has none of that name. Bad input is a problem, nothing is changed. */
  static async open(options: KernelOptions): Promise<Decoded<Kernel>> {
    const { ledger, name = "main", clock, functions = [] } = options;
    const credential = credentialOf(options.principal, options.privateKey);
    if (!credential.ok) return credential;
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
      const opened = openKernel(
        name,
        policy.value,
        initial.value,
        clock(),
        undefined,
        credential.value.principal,
      );
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
      const doubt = await ledger
        .transact(name, 0, (after) => (after.length > 0 ? [] : [first]))
        .catch((error: unknown) => (isInDoubt(error) ? error : Promise.reject(error)));
      position = await follow(ledger, name, reading);
      // An entry that is still absent after the doubt was resolved never appears; the next caller that opens the kernel writes it.
      if (position === undefined && doubt !== undefined) throw doubt;
    }
    if (position === undefined) throw new LedgerBroken("the ledger did not keep the first entry");
    const current = position.state.policy.digest;
    // One that was changed since is opened with the one that it was made with, or with the newest.
    const isOther = given !== undefined && given.value.digest !== current;
    if (isOther && given.value.digest !== (await openingDigest(ledger, name))) {
      return { ok: false, problem: problem("another policy", { kernel: name }) };
    }
    const kernel = new Kernel(options, credential.value, position, snapshot?.seq ?? 0);
    const objection = kernel.#objection();
    return objection === undefined ? { ok: true, value: kernel } : { ok: false, problem: objection };
  }

  /** The same kernel for another principal: commands of both share a queue, in which each has its turns. */
  as(principal: string, privateKey?: string): Decoded<Kernel> {
    const credential = credentialOf(principal, privateKey);
    if (!credential.ok) return credential;
    const { checkpoint: _, ...options } = this.#options;
    const kernel = new Kernel(options, credential.value, this, 0);
    const objection = kernel.#objection();
    return objection === undefined ? { ok: true, value: kernel } : { ok: false, problem: objection };
  }

  /** The principal whose commands these are. */
  get principal(): string {
    return this.#credential.principal;
  }

  /** The policy as data, which `amend` can replace, and its digest. */
  policy(): { readonly body: string; readonly digest: string } {
    const { body, digest } = this.#state.policy;
    return { body: canonicalText(body), digest };
  }

  /** Says why the credential is not that of its principal. */
  #objection(): Problem | undefined {
    const { principal, privateKey } = this.#credential;
    const key = keyOf(this.#state, principal);
    if (key === undefined) return undefined;
    if (privateKey === undefined) return problem("key needed", { principal });
    return isPair(privateKey, key) ? undefined : problem("key of another", { principal });
  }

  /** Reads an action once, for one that is judged many times. */
  prepare(action: unknown): Decoded<Action> {
    const read = decodeAction(action, this.#state.policy);
    return read.ok ? { ok: true, value: frozenAction(read.value) } : read;
  }

  /** A dry run on the state as this process knows it. Changes nothing, and answers for any input. */
  evaluate(action: unknown, attestations?: unknown): Evaluation {
    const command = this.#withAction("execute", action, attestations);
    return evaluationOf(
      decide(this.#state, command, this.#options.clock(), this.principal),
      this.#state.version,
    );
  }

  /**
   * Decides, and keeps the step or the refusal. Rejects only if the ledger fails: then nothing was kept, unless the error
   * is named `InDoubt`, and the entries that are there will tell.
   */
  execute(action: unknown, attestations?: unknown): Promise<Outcome> {
    return this.#add(this.#withAction("execute", action, attestations));
  }

  /** Refuses what could not even be read as data, such as a line that is not JSON, and keeps that as an entry too. */
  refuse(message: string): Promise<Outcome> {
    return this.#add(malformed("execute", why("said", { text: message })));
  }

  /**
   * Holds the charge of an action whose real effects come next. With a lease, its keys are held for that time only, unless it is
   * renewed; the charge is held until there is an outcome.
   */
  reserve(action: unknown, key?: string, leaseMs?: number, attestations?: unknown): Promise<Outcome> {
    const command = this.#withAction("reserve", action, attestations);
    if (command.kind !== "reserve") return this.#add(command);
    const keyed = key === undefined ? command : withKey(command, key);
    return this.#add(leaseMs === undefined || keyed.kind !== "reserve" ? keyed : withLease(keyed, leaseMs));
  }

  /** Prolongs the lease of a reservation, from now on. */
  renew(receipt: string, leaseMs: number): Promise<Outcome> {
    return this.#ask("renew", () => ({ receipt, leaseMs }));
  }

  /** Gives a part of one's share to another principal; `key` is the public key of one that no policy declares. */
  delegate(to: string, amounts: unknown, key?: string): Promise<Outcome> {
    return this.#ask("delegate", () => ({ to, amounts, ...(key === undefined ? {} : { key }) }));
  }

  /** Reclaims what is left of what was delegated to a principal. */
  reclaim(from: string): Promise<Outcome> {
    return this.#ask("reclaim", () => ({ from }));
  }

  /** Replaces the policy, if it is still the one with that digest. For operators. */
  amend(policy: unknown, replaces: string = this.#state.policy.digest): Promise<Outcome> {
    return this.#ask("policy", () => ({ policy, replaces }));
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

  /**
   * Compares cells of a fluent with the world, as `observe` compares the keys of a probe. `values` has the cells that are in
   * the world; `reads` is the version that the caller compared with. While a cell is held, nothing is decided.
   */
  observeCells(
    fluent: string,
    seen: { readonly keys: readonly string[]; readonly values: unknown; readonly reads: number },
    take = false,
  ): Promise<Outcome> {
    return this.#ask("observe", () => ({ ...seen, probe: fluent, take }));
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

  /** Why nothing but emergency actions may happen: an operator's words, or the keys at which the world differs. */
  get stopped(): Stopped | undefined {
    return this.#state.stopped;
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

  /** Returns those of them that would write one of the keys, the earliest first, also if their lease is over. */
  reservationsOn(keys: readonly string[]): readonly InDoubtReservation[] {
    return reservationsOn(this.#state, new Set(keys));
  }

  /** Waits for what is under way, and leaves a snapshot and a last checkpoint. The ledger stays open for others. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#snapshots.end(this.#queue.vouched);
    for (const [i, one] of this.#checkpoints().entries())
      if ((this.#signed[i] ?? 0) < this.#state.seq) this.#sign(one, i);
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
    return this.#add(decodeCommand(kind, given, this.#state.policy));
  }

  #add(command: Command): Promise<Outcome> {
    return this.#queue.add(command, this.#credential);
  }

  /** Returns the names that an attestation of the action must hold, and its gates; undefined for what is no action. */
  attestationsFor(action: unknown): AttestationRequest | undefined {
    const read = decodeAction(action, this.#state.policy);
    if (!read.ok) return undefined;
    const gates = gatesOf(this.#state, read.value).map(({ name, rule: { attests } }) => {
      return {
        rule: name,
        quorum: attests.quorum,
        keys: [...attests.keys.keys()],
        maxAgeMs: attests.maxAgeMs,
      };
    });
    return { ...this.#attestable(read.value), gates };
  }

  #attestable(action: Action): Omit<AttestationRequest, "gates"> {
    const { first = "", version } = this.#state;
    return { action: actionDigest(action), text: attestedText(action), kernel: first, version };
  }

  #withAction(kind: "execute" | "reserve", input: unknown, given?: unknown): Command {
    const action = decodeAction(input, this.#state.policy);
    if (!action.ok) return malformed(kind, action.problem);
    if (given === undefined) return { kind, action: action.value };
    const attestations = decoded(() => readAttestations(readValue(given)));
    if (!attestations.ok) return malformed(kind, attestations.problem);
    return { kind, action: action.value, attestations: attestations.value };
  }

  #checkpoints(): readonly CheckpointOptions[] {
    const { checkpoint = [] } = this.#options;
    return "keep" in checkpoint ? [checkpoint] : checkpoint;
  }

  #checkpointIfDue(): void {
    for (const [i, one] of this.#checkpoints().entries()) {
      if (this.#state.seq - (this.#signed[i] ?? 0) < one.every) continue;
      try {
        this.#sign(one, i);
      } catch {
        // The steps are committed, and the caller must learn that. The next commit tries again, and `close` tells.
      }
    }
  }

  #sign({ keep, privateKey }: CheckpointOptions, at: number): void {
    const { name: kernel, seq: length, head, time } = this.#state;
    keep(signCheckpoint({ kernel, length, head, time }, privateKey));
    this.#signed[at] = length;
  }
}

function withKey(command: Command & { kind: "reserve" }, key: unknown): Command {
  const isNoName =
    typeof key !== "string" || key === "" || key.length > limits.nameLength || /\p{Cs}/u.test(key);
  return isNoName ? malformed("reserve", why("idempotency key is no name")) : { ...command, key };
}

function withLease(command: Command & { kind: "reserve" }, leaseMs: number): Command {
  const isNone = !Number.isSafeInteger(leaseMs) || leaseMs < 1 || leaseMs > limits.jumpMs;
  return isNone
    ? malformed("reserve", why("lease is too long", { most: limits.jumpMs }))
    : { ...command, leaseMs };
}

function credentialOf(principal: unknown = localPrincipal, privateKey?: string): Decoded<Credential> {
  return decoded(() => {
    const name = nameOf(principal, "principal");
    checkText(name, limits.nameLength, "principal");
    if (privateKey === undefined) return { principal: name };
    const key = privateKeyOf(privateKey);
    return key === undefined
      ? refuse("key of another", { principal: name })
      : { principal: name, privateKey: key };
  });
}

/** The digest of the policy that a kernel was made with. */
async function openingDigest(ledger: Log, name: string): Promise<unknown> {
  const [first] = await ledger.read(name, 1, 1);
  const read = first === undefined ? undefined : readStored(first);
  return read?.ok ? read.value.json.policy : undefined;
}
