/** The journal of a run: its reservations in the trace and their results, from this process and earlier ones. */
import { isJsonObject, type Json, JsonNumber, type JsonObject, readJson } from "../ir/index.ts";
import {
  type Kernel,
  readReceipt,
  reservationReceipt,
  type StoredEntry,
  stepReceipt,
  undoKey,
} from "../kernel/index.ts";
import { type Origin, originIn } from "./origin.ts";

/** A reservation and its result. */
export interface JournalEntry {
  readonly key: string;
  readonly receipt: string;
  readonly status: "pending" | "settled" | "released";
  /** Undefined in entries of the first form: then the key says what it is of. */
  readonly origin: Origin | undefined;
  /** Cost of the action, for charging it again. */
  readonly cost: Json | undefined;
  /** Effects of the action, in the kernel's form. */
  readonly effects: Json | undefined;
  readonly args: Json | undefined;
  /** Absent of a call that was not to be made. */
  readonly tool: Json | undefined;
  /** Once it is settled. */
  readonly step?: Step;
}

export interface Step {
  readonly version: number;
  readonly receipt: string;
  readonly outcome: Json | undefined;
  /** The hash of the entry that rolled it back. */
  readonly rolledBack?: string;
}

/** An action that marks a key as unknown. */
export interface Marked {
  readonly version: number;
  readonly receipt: string;
  readonly effects: Json | undefined;
  /** The receipt of the step that it is about, if it is about what taking that back has left. */
  readonly step: string | undefined;
  readonly isRolledBack?: true;
}

/** Selects the reservations of a run. */
export interface Owner {
  /** A text that the entry with the run's first reservation contains. */
  readonly mentions: string;
  readonly owns: (origin: Origin) => boolean;
  /** The same for entries of the first form, which have no origin: by the key, and the action. */
  readonly ownedThen: (key: string, action: JsonObject) => boolean;
}

export interface Trace {
  readonly kept: ReadonlyMap<string, JournalEntry>;
  /** The oldest first. */
  readonly marked: readonly Marked[];
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

/**
 * Returns the reservations of a run by their keys, with those that compensate its steps. `from` is an entry before which
 * there is nothing of the run.
 */
export async function readJournal(
  kernel: Pick<Kernel, "entries">,
  owner: Owner,
  from: number,
): Promise<ReadonlyMap<string, JournalEntry>> {
  return (await readTrace(kernel, owner, from)).kept;
}

/** The same with the marks of the run. */
export async function readTrace(kernel: Pick<Kernel, "entries">, owner: Owner, from: number): Promise<Trace> {
  const reader = new Reader(owner);
  for (let next = from; ; ) {
    const page = await kernel.entries(next, pageLength);
    for (const stored of page) reader.see(stored);
    if (page.length < pageLength) return { kept: reader.kept, marked: [...reader.marked.values()] };
    next = (page.at(-1)?.seq ?? next) + 1;
  }
}

const decoder = new TextDecoder();
const noFields: JsonObject = Object.freeze(Object.create(null));

class Reader {
  readonly kept = new Map<string, JournalEntry>();
  /** By their receipts. */
  readonly marked = new Map<string, Marked>();
  readonly #undoKeys = new Set<string>();
  readonly #owner: Owner;
  readonly #byReceipt = new Map<string, string>();
  readonly #byStep = new Map<string, string>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The kernel has looked at every entry already; here they are only read. */
  see({ seq, hash, bytes }: StoredEntry): void {
    const text = decoder.decode(bytes);
    // Most entries of a long trace are of others, and need not be read.
    if (this.kept.size === 0 && !text.includes(this.#owner.mentions)) return;
    if (!/"kind":"(execute|reserve|settle|release|rollback)"/.test(text)) return;
    const read = readJson(text);
    if (!read.ok || !isJsonObject(read.value.value)) return;
    const { kind, verdict, command, version, v } = read.value.value;
    if (verdict !== "allowed" || command === undefined || !isJsonObject(command)) return;
    const isFirst = JsonNumber.is(v) && v.value === 1n;
    if (kind === "reserve") this.#reserved(command, reservationReceipt(seq, hash), isFirst);
    else if (kind === "settle") this.#settled(command, afterIn(version), hash);
    else if (kind === "release") this.#change(this.#keyIn(command.receipt), { status: "released" });
    else if (kind === "rollback") this.#rolledBack(command, hash);
    else if (kind === "execute") this.#executed(command, afterIn(version), hash);
  }

  #executed({ action }: JsonObject, version: number, hash: string): void {
    if (action === undefined || !isJsonObject(action)) return;
    const origin = originIn(action.origin);
    if (origin?.purpose !== "mark" || !this.#owner.owns(origin)) return;
    const receipt = stepReceipt(version, hash);
    this.marked.set(receipt, { version, receipt, effects: action.effects, step: origin.step });
  }

  #reserved({ key, action }: JsonObject, receipt: string, isFirst: boolean): void {
    const known = action !== undefined && isJsonObject(action) ? action : noFields;
    if (typeof key !== "string") return;
    const origin = isFirst ? undefined : originIn(known.origin);
    if (!(isFirst ? this.#wasOurs(key, known) : this.#isOurs(key, origin))) return;
    // One that was settled before is only repeated, and its entry is no reservation.
    if (this.kept.get(key)?.status === "settled") return;
    const { args, tool, cost, effects } = known;
    this.kept.set(key, { key, receipt, status: "pending", origin, args, tool, cost, effects });
    this.#byReceipt.set(receipt, key);
  }

  #settled({ receipt, outcome }: JsonObject, version: number, hash: string): void {
    const key = this.#keyIn(receipt);
    if (key === undefined) return;
    const step: Step = { version, receipt: stepReceipt(version, hash), outcome };
    this.#byStep.set(step.receipt, key);
    this.#change(key, { status: "settled", step });
  }

  #rolledBack({ from, to }: JsonObject, hash: string): void {
    const marked = typeof from === "string" && from === to ? this.marked.get(from) : undefined;
    if (marked !== undefined) this.marked.set(marked.receipt, { ...marked, isRolledBack: true });
    const key = typeof from === "string" ? this.#byStep.get(from) : undefined;
    const step = key === undefined ? undefined : this.kept.get(key)?.step;
    if (step !== undefined && from === to) {
      this.#undoKeys.add(undoKey(hash, 0));
      this.#change(key, { step: { ...step, rolledBack: hash } });
    } else if (from !== to) this.#rangeRolledBack(from, to, hash);
  }

  /** Another caller rolled back a range; its compensations were that caller's as well. */
  #rangeRolledBack(from: Json | undefined, to: Json | undefined, hash: string): void {
    const [first, last] = [versionIn(from), versionIn(to)];
    for (const [key, { step }] of this.kept) {
      if (step === undefined || step.rolledBack !== undefined) continue;
      if (step.version >= first && step.version <= last)
        this.#change(key, { step: { ...step, rolledBack: `${hash} of a range` } });
    }
  }

  #change(key: string | undefined, change: Partial<JournalEntry>): void {
    const kept = key === undefined ? undefined : this.kept.get(key);
    if (key !== undefined && kept !== undefined) this.kept.set(key, { ...kept, ...change });
  }

  #keyIn(receipt: Json | undefined): string | undefined {
    return typeof receipt === "string" ? this.#byReceipt.get(receipt) : undefined;
  }

  #isOurs(key: string, origin: Origin | undefined): boolean {
    if (origin !== undefined && this.#owner.owns(origin)) return true;
    // What is done for a step of ours comes after it.
    return this.#undoKeys.has(key);
  }

  /** In entries of the first form, keys say what they are of. */
  #wasOurs(key: string, action: JsonObject): boolean {
    if (this.#owner.ownedThen(key, action) || this.#undoKeys.has(key)) return true;
    const [, step] = /^(?:kept charge of|unknown after) (\S+)$/.exec(key) ?? [];
    return step !== undefined && this.#byStep.has(step);
  }
}

function afterIn(version: Json | undefined): number {
  const after = version !== undefined && isJsonObject(version) ? version.after : undefined;
  return JsonNumber.is(after) ? Number(after.value) : 0;
}

function versionIn(receipt: Json | undefined): number {
  const read = typeof receipt === "string" ? readReceipt(receipt) : undefined;
  return read?.kind === "step" ? read.number : Number.NaN;
}
