/**
 * Commands waiting for the ledger. Those that came in while it was busy are decided one after the other and kept in one
 * transaction; each caller hears of it when the entries are durable.
 */
import type { Command } from "../core/command.ts";
import { isUrgent } from "../core/principal.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { randomName } from "../digest.ts";
import { AnswerMissing, Answers } from "../isolated.ts";
import { decoded, refuse } from "../problem.ts";
import { isPair, type KeyObject, signatureOf } from "../signature.ts";
import { type Mark, newest, seal, sealText } from "../trace/entry.ts";
import type { StoredEntry } from "../trace/read.ts";
import { LedgerBroken, type Position, positionAfter, stepOf, storedOf } from "./follow.ts";
import type { Log } from "./log.ts";
import { foldedOutcome, type Outcome, outcomeOf } from "./outcome.ts";

/** A command with the principal that asks, and its private key if it has one. */
export interface Asked {
  readonly command: Command;
  readonly credential: Credential;
}

export interface Credential {
  readonly principal: string;
  readonly privateKey?: KeyObject;
}

interface Waiting {
  /** Undefined for one who only wants to know what others wrote. */
  readonly asked: Asked | undefined;
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
  /** The outcome of each command, or the error that its asker must hear. */
  readonly outcomes: readonly (Outcome | Error)[];
  /** Refusals since its last entry that were told and not recorded, of each principal; only those that changed. */
  readonly folded: ReadonlyMap<string, number>;
}

/**
 * LIMIT: commands in one transaction, the bytes of its entries after which the rest waits for the next one, and how often
 * one is tried again that may have been kept or not.
 */
const groupLength = 256;
const groupBytes = 8 * 1024 * 1024;
const attempts = 5;
/** LIMIT: urgent commands of one principal that go ahead of all others in one group; more of them wait their turn. */
const mostUrgent = 16;
/** LIMIT: questions to isolated functions that come up only in the transaction, for one group of commands. */
const mostAsked = 8;

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
  #folded = new Map<string, number>();

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

  async add(command: Command, credential: Credential): Promise<Outcome> {
    const outcome = await this.#wait({ command, credential });
    if (outcome === undefined) throw new TypeError("a command without an outcome");
    return outcome;
  }

  /** Takes in what others have written. */
  async refresh(): Promise<void> {
    await this.#wait(undefined);
  }

  #wait(asked: Asked | undefined): Promise<Outcome | undefined> {
    const outcome = new Promise<Outcome | undefined>((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject });
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
      const { group, rest } = nextGroup(this.#waiting, this.state.policy);
      this.#waiting = rest;
      try {
        const outcomes = await this.#commit(group.flatMap(({ asked }) => asked ?? []));
        this.#waiting.unshift(...answered(group, outcomes));
      } catch (error) {
        const urgent = isNoRoom(error) ? group.filter((one) => this.#isUrgent(one)) : [];
        for (const one of group) if (!urgent.includes(one)) one.reject(error);
        await this.#alone(urgent);
      }
    }
  }

  #isUrgent({ asked }: Waiting): boolean {
    return asked !== undefined && isUrgent(this.state.policy, asked.command);
  }

  /** On a full disk: one after the other and without anybody else, so that they get the room that is kept for them. */
  async #alone(urgent: readonly Waiting[]): Promise<void> {
    for (const one of urgent) {
      try {
        answered([one], await this.#commit(one.asked === undefined ? [] : [one.asked]));
      } catch (error) {
        one.reject(error);
      }
    }
  }

  /**
   * Decides, and takes the new state once it is known to be kept. After an `InDoubt` the ledger is asked again: it is alone
   * with the log then, so what was kept before is among the entries, and what is not there will never be.
   */
  async #commit(commands: readonly Asked[]): Promise<Staged["outcomes"]> {
    const tried: Staged[] = [];
    let asked = 0;
    let answers = await this.#askedAhead(commands);
    for (let attempt = 1; ; attempt++) {
      let staged: Staged | undefined;
      try {
        await this.#log.transact(this.state.name, this.state.seq, (after) => {
          const stage = (): Staged => {
            const kept = keptOf(tried, after);
            return kept === undefined ? this.#stage(after, commands) : this.#followed(after, kept);
          };
          staged = answers === undefined ? stage() : answers.with(stage);
          if (!tried.includes(staged)) tried.push(staged);
          return staged.entries;
        });
      } catch (error) {
        if (AnswerMissing.is(error)) {
          // Others wrote in between. A caller that meets them again and again waits for the function.
          await answers?.fetch(error);
          if (++asked >= mostAsked) answers = undefined;
          attempt--;
          continue;
        }
        if (!isInDoubt(error) || attempt >= attempts) throw error;
        continue;
      }
      if (staged === undefined) throw new LedgerBroken("the ledger asked for nothing and kept nothing");
      this.#position = staged.position;
      for (const [principal, count] of staged.folded) this.#folded.set(principal, count);
      if (staged.outcomes.length > 0) this.#committed();
      return staged.outcomes;
    }
  }

  /**
   * Asks isolated functions about the commands as if nobody else wrote: neither the process nor the ledger waits for them.
   * Undefined if the policy has none.
   */
  async #askedAhead(commands: readonly Asked[]): Promise<Answers | undefined> {
    if (!this.state.policy.invariants.some(({ rule }) => rule.isIsolated === true)) return undefined;
    const answers = new Answers();
    let { state } = this;
    for (const { command, credential } of commands) {
      for (;;)
        try {
          const before = state;
          const time = this.#clock();
          state = answers.with(() => decide(before, command, time, credential.principal).next());
          break;
        } catch (thrown) {
          if (!AnswerMissing.is(thrown)) return answers;
          await answers.fetch(thrown);
        }
    }
    return answers;
  }

  /** Always starts from the last state that is known to be kept, since the ledger may ask again. */
  #stage(after: readonly StoredEntry[], commands: readonly Asked[]): Staged {
    let { position } = this.#followed(after);
    const [entries, outcomes]: [StoredEntry[], (Outcome | Error)[]] = [[], []];
    const folded = new Map<string, number>();
    let bytes = 0;
    for (const { command, credential } of commands) {
      if (bytes > groupBytes) break;
      const { principal } = credential;
      const decision = decide(position.state, command, this.#clock(), principal);
      const before = folded.get(principal) ?? this.#folded.get(principal) ?? 0;
      if (decision.folded) {
        folded.set(principal, before + 1);
        outcomes.push(foldedOutcome(decision, position.state));
        continue;
      }
      const mark = { folded: before, sign: signer(credential) };
      const sealed = decoded(() =>
        seal(position.state, decision, `${this.#writer}-${++this.#written}`, sealText, newest, mark),
      );
      if (!sealed.ok) {
        outcomes.push(new CredentialMissing(sealed.problem.message));
        continue;
      }
      if (before > 0) folded.set(principal, 0);
      position = positionAfter(position, sealed.value);
      const isFirst = decision.verdict === "allowed" && isUrgent(position.state.policy, command);
      const stored: StoredEntry = {
        ...storedOf(sealed.value.entry),
        ...(isFirst ? { urgent: true } : {}),
      };
      bytes += stored.bytes.length;
      entries.push(stored);
      outcomes.push(outcomeOf(decision, sealed.value));
    }
    return { position, entries, outcomes, folded };
  }

  /** Nothing new: what is there, and how what was tried before came out. */
  #followed(after: readonly StoredEntry[], kept?: Staged): Staged {
    let position = this.#position;
    for (const stored of after) position = positionAfter(position, stepOf(position.state, stored));
    return { position, entries: [], outcomes: kept?.outcomes ?? [], folded: kept?.folded ?? new Map() };
  }
}

/** Tells those who have an outcome, and gives those who have none yet. */
function answered(group: readonly Waiting[], outcomes: Staged["outcomes"]): readonly Waiting[] {
  const rest: Waiting[] = [];
  let next = 0;
  for (const waiting of group) {
    if (waiting.asked === undefined) waiting.resolve(undefined);
    else if (next < outcomes.length) {
      const outcome = outcomes[next++];
      if (outcome instanceof Error) waiting.reject(outcome);
      else waiting.resolve(outcome);
    } else rest.push(waiting);
  }
  return rest;
}

/** The principal has a key, and the caller has not its private part; nothing was decided. */
export class CredentialMissing extends Error {
  override readonly name = "CredentialMissing";
}

function signer({ privateKey }: Credential): Mark["sign"] {
  return (text, publicKey, principal) => {
    if (privateKey === undefined) return refuse("key needed", { principal });
    // Others would take an entry with the signature of another key for a broken ledger.
    if (!isPair(privateKey, publicKey)) return refuse("key of another", { principal });
    return signatureOf(text, privateKey);
  };
}

/**
 * Those who are next: first emergency actions and `stop`, some of each principal, then one of each principal in turn, so that
 * one who floods the queue, also with these, keeps nobody else waiting. The order of each principal's own commands stays, but for urgent ones.
 */
function nextGroup(
  waiting: readonly Waiting[],
  policy: KernelState["policy"],
): { readonly group: Waiting[]; readonly rest: Waiting[] } {
  if (waiting.length <= groupLength) {
    const principals = new Set(waiting.map(({ asked }) => asked?.credential.principal));
    if (principals.size <= 1) return { group: [...waiting], rest: [] };
  }
  const first = new Set<Waiting>();
  const urgent = new Map<string, number>();
  for (const one of waiting) {
    const { asked } = one;
    if (asked === undefined) first.add(one);
    else if (isUrgent(policy, asked.command)) {
      const { principal } = asked.credential;
      const count = (urgent.get(principal) ?? 0) + 1;
      urgent.set(principal, count);
      if (count <= mostUrgent) first.add(one);
    }
  }
  const lines = new Map<string, Waiting[]>();
  for (const one of waiting) {
    if (first.has(one)) continue;
    const principal = one.asked?.credential.principal ?? "";
    const line = lines.get(principal);
    if (line === undefined) lines.set(principal, [one]);
    else line.push(one);
  }
  const group = [...first];
  const queues = [...lines.values()];
  for (let turn = 0; group.length < groupLength && queues.some((line) => turn < line.length); turn++)
    for (const line of queues) {
      const one = line[turn];
      if (one !== undefined && group.length < groupLength) group.push(one);
    }
  const taken = new Set(group);
  return { group, rest: waiting.filter((one) => !taken.has(one)) };
}

/** The one of those tried that is in the log. By its last entry, which is like no other one. */
function keptOf(tried: readonly Staged[], after: readonly StoredEntry[]): Staged | undefined {
  return tried.find(({ entries }) => {
    const last = entries.at(-1);
    return last !== undefined && after.some(({ hash }) => hash === last.hash);
  });
}

/** By name likewise. */
function isNoRoom(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "LedgerUnavailable" &&
    "reason" in error &&
    error.reason === "no room"
  );
}

/** By name: the class belongs to the ledgers, which the kernel does not know. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof Error && error.name === "InDoubt";
}
