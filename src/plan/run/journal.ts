/** What the trace says of a run: what its actions came to, before this process and in it. */
import { isJsonObject, type Json, JsonNumber, type JsonObject } from "../../ir/json/json.ts";
import { readJson } from "../../ir/json/reader.ts";
import { reservationReceipt, stepReceipt } from "../../kernel/core/receipt.ts";
import { type Kernel, type StoredEntry, undoKey } from "../../kernel/index.ts";
import { endKey, readKey } from "./identity.ts";

/** What became of a reservation. */
export interface Kept {
  readonly key: string;
  readonly receipt: string;
  readonly status: "pending" | "settled" | "released";
  /** Of the action, for what is to be charged again. */
  readonly cost: Json | undefined;
  /** What it changes, as the kernel has it. */
  readonly effects: Json | undefined;
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

/** What there is of one action. */
export interface Recorded {
  readonly last: Kept;
  /** How often it was reserved, and nothing came of it. */
  readonly releases: number;
}

export interface Journal {
  /** By the names that the kernel has for actions. */
  readonly actions: ReadonlyMap<string, Recorded>;
  /** The reservations of the run by their keys, and those that make up for steps of it. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** The digest of another plan that was run under this name. */
  readonly otherPlan: string | undefined;
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

/** From an entry on before which there is nothing of the run. */
export async function readJournal(
  kernel: Kernel,
  digest: string,
  runId: string,
  from: number,
): Promise<Journal> {
  const reader = new Reader(digest, runId);
  for (let next = from; ; ) {
    const page = await kernel.entries(next, pageLength);
    for (const stored of page) reader.see(stored);
    if (page.length < pageLength) return reader.journal();
    next = (page.at(-1)?.seq ?? next) + 1;
  }
}

/** What an action came to, by what was kept when it was settled. */
export type Ending =
  | { readonly kind: "done"; readonly output: Json | undefined }
  | { readonly kind: "failed"; readonly message: string };

/** One that a person settled may say anything, and then there is no output. */
export function endingOf(outcome: Json | undefined): Ending {
  if (outcome === undefined || !isJsonObject(outcome)) return { kind: "done", output: undefined };
  const { failed, output } = outcome;
  return typeof failed === "string" ? { kind: "failed", message: failed } : { kind: "done", output };
}

export function outcomeOf(ending: Ending, attempts: number): Readonly<Record<string, unknown>> {
  if (ending.kind === "failed") return { failed: ending.message, attempts };
  return ending.output === undefined ? { attempts } : { output: ending.output, attempts };
}

const decoder = new TextDecoder();
const noFields: JsonObject = Object.freeze(Object.create(null));

class Reader {
  readonly kept = new Map<string, Kept>();
  readonly #undoKeys = new Set<string>();
  otherPlan: string | undefined;
  readonly #digest: string;
  readonly #runId: string;
  readonly #byReceipt = new Map<string, string>();
  readonly #byStep = new Map<string, string>();

  constructor(digest: string, runId: string) {
    this.#digest = digest;
    this.#runId = runId;
  }

  journal(): Journal {
    const actions = new Map<string, Recorded>();
    for (const last of this.kept.values()) {
      const name = readKey(last.key)?.name;
      if (name === undefined) continue;
      const releases = (actions.get(name)?.releases ?? 0) + (last.status === "released" ? 1 : 0);
      actions.set(name, { last, releases });
    }
    return { actions, kept: this.kept, otherPlan: this.otherPlan };
  }

  /** The kernel has looked at every entry already; here they are only read. */
  see({ seq, hash, bytes }: StoredEntry): void {
    const text = decoder.decode(bytes);
    // Most entries of a long trace are of others, and need not be read.
    if (this.kept.size === 0 && !text.includes(` run ${this.#runId}`)) return;
    if (!/"kind":"(reserve|settle|release|rollback)"/.test(text)) return;
    const read = readJson(text);
    if (!read.ok || !isJsonObject(read.value.value)) return;
    const { kind, verdict, command, version } = read.value.value;
    if (verdict !== "allowed" || command === undefined || !isJsonObject(command)) return;
    if (kind === "reserve") this.#reserved(command, reservationReceipt(seq, hash));
    else if (kind === "settle") this.#settled(command, afterIn(version), hash);
    else if (kind === "release") this.#change(this.#keyIn(command.receipt), { status: "released" });
    else if (kind === "rollback") this.#rolledBack(command, hash);
  }

  #reserved({ key, action }: JsonObject, receipt: string): void {
    if (typeof key !== "string" || !this.#isOurs(key)) return;
    // One that was settled before is only repeated, and its entry is no reservation.
    if (this.kept.get(key)?.status === "settled") return;
    const { cost, effects } = action !== undefined && isJsonObject(action) ? action : noFields;
    this.kept.set(key, { key, receipt, status: "pending", cost, effects });
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
    const key = typeof from === "string" ? this.#byStep.get(from) : undefined;
    const step = key === undefined ? undefined : this.kept.get(key)?.step;
    if (step !== undefined && from === to) {
      this.#undoKeys.add(undoKey(hash, 0));
      this.#change(key, { step: { ...step, rolledBack: hash } });
    } else if (from !== to) this.#rangeRolledBack(from, to, hash);
  }

  /** Somebody else did it; what was to be made up for was theirs as well. */
  #rangeRolledBack(from: Json | undefined, to: Json | undefined, hash: string): void {
    const [first, last] = [versionIn(from), versionIn(to)];
    for (const [key, { step }] of this.kept) {
      if (step === undefined || step.rolledBack !== undefined) continue;
      if (step.version >= first && step.version <= last)
        this.#change(key, { step: { ...step, rolledBack: `${hash} of a range` } });
    }
  }

  #change(key: string | undefined, change: Partial<Kept>): void {
    const kept = key === undefined ? undefined : this.kept.get(key);
    if (key !== undefined && kept !== undefined) this.kept.set(key, { ...kept, ...change });
  }

  #keyIn(receipt: Json | undefined): string | undefined {
    return typeof receipt === "string" ? this.#byReceipt.get(receipt) : undefined;
  }

  #isOurs(key: string): boolean {
    if (key === endKey(this.#digest, this.#runId)) return true;
    const read = readKey(key);
    if (read !== undefined) {
      if (read.runId !== this.#runId) return false;
      if (read.digest === this.#digest) return true;
      this.otherPlan = read.digest;
      return false;
    }
    // What is kept or done for a step of ours comes after it.
    const [, charged] = /^kept charge of (\S+)$/.exec(key) ?? [];
    if (charged !== undefined) return this.#byStep.has(charged);
    return this.#undoKeys.has(key);
  }
}

function afterIn(version: Json | undefined): number {
  const after = version !== undefined && isJsonObject(version) ? version.after : undefined;
  return JsonNumber.is(after) ? Number(after.value) : 0;
}

function versionIn(receipt: Json | undefined): number {
  return Number(/^s([0-9]+)-/.exec(typeof receipt === "string" ? receipt : "")?.[1] ?? Number.NaN);
}
