/** Verifies all that a ledger holds, and copies what verifies of a damaged one into a new one. */
import { ok, type Result } from "../../ir/index.ts";
import { type StoredEntry, Verifier } from "../../kernel/index.ts";
import { type Ledger, openLedger } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { type Address, absentFile, addressOf, ledgerFailure, withLedger } from "./open.ts";
import { traceOf } from "./trace-source.ts";
import { type Against, verified } from "./verification.ts";

export interface ScrubbedKernel {
  readonly kernel: string;
  readonly ok: boolean;
  readonly entries: number;
  readonly head: string;
  readonly problem?: { readonly seq: number; readonly what: string };
}

/** Verifies each kernel of a ledger, without writing anything. */
export async function scrubbed(
  fs: FileSystem,
  text: string,
): Promise<Result<readonly ScrubbedKernel[], Failure>> {
  const address = addressOf(text);
  if (!address.ok) return address;
  return withLedger(
    fs,
    address.value,
    async (ledger) => {
      const found: ScrubbedKernel[] = [];
      for (const kernel of await ledger.kernels()) {
        const { ok: isFine, entries, head, problem } = await verified(traceOf(ledger, address.value, kernel));
        const told = { kernel, ok: isFine, entries, head };
        found.push(problem === undefined ? told : { ...told, problem });
      }
      const damage = await ledger.damage?.();
      if (damage === undefined) return ok(found);
      return ok([
        ...found,
        { kernel: "", ok: false, entries: 0, head: "", problem: { seq: 0, what: damage } },
      ]);
    },
    "read",
  );
}

export interface Recovered {
  readonly entries: number;
  readonly head: string;
  /** The first entry that could not be kept, and why; undefined if nothing was wrong. */
  readonly lost?: { readonly seq: number; readonly what: string };
}

/**
 * Copies the entries that verify. Refuses if they end before a checkpoint: then more is gone than a tail that nobody
 * has vouched for.
 */
export async function recovered(
  fs: FileSystem,
  from: string,
  to: string,
  kernel: string,
  against: Against,
): Promise<Result<Recovered, Failure>> {
  const [source, target] = [addressOf(from), addressOf(to)];
  if (!source.ok) return source;
  if (!target.ok) return target;
  const absent = await absentFile(fs, target.value);
  if (!absent.ok) return absent;
  if (absent.value === undefined)
    return plainFailure(
      "FC9006",
      `there is something at \`${target.value.shown}\` already`,
      "choose another place",
    );
  return withLedger(
    fs,
    source.value,
    async (ledger) => {
      const { entries, verifier, unreadable } = await readable(ledger, kernel, against);
      const { problem, entries: length, head } = verifier.end();
      const covered = against.checkpoints.every((one) => one.length <= length);
      const [last] = entries.slice(-1);
      if (last === undefined || !covered || isForged(problem, length)) {
        const what = problem?.what ?? unreadable ?? "there is no entry";
        const help = "nothing was made; take a backup that reaches the checkpoint";
        return plainFailure("FC9007", `entry ${problem?.seq ?? length + 1}: ${what}`, help);
      }
      const failure = await copied(entries, kernel, target.value);
      if (failure !== undefined) return failure;
      const what = problem?.what ?? unreadable;
      const lost = what === undefined ? {} : { lost: { seq: problem?.seq ?? length + 1, what } };
      return ok({ entries: length, head, ...lost });
    },
    "read",
  );
}

/** True for a problem of the good part itself, such as a checkpoint that does not fit. */
function isForged(problem: { readonly seq: number } | undefined, length: number): boolean {
  return problem !== undefined && problem.seq <= length;
}

/** The entries up to the first that cannot be read or does not verify. */
async function readable(
  ledger: Ledger,
  kernel: string,
  against: Against,
): Promise<{ entries: StoredEntry[]; verifier: Verifier; unreadable: string | undefined }> {
  const verifier = new Verifier(against);
  const entries: StoredEntry[] = [];
  for (let seq = 1; ; ) {
    let page: readonly StoredEntry[];
    try {
      page = await pageAt(ledger, kernel, seq);
    } catch (error) {
      return { entries, verifier, unreadable: error instanceof Error ? error.message : String(error) };
    }
    for (const stored of page) {
      if (!verifier.add(stored)) return { entries, verifier, unreadable: undefined };
      entries.push(stored);
    }
    if (page.length === 0) return { entries, verifier, unreadable: undefined };
    seq += page.length;
  }
}

/** Many at once, and one by one where a page of them cannot be read. */
async function pageAt(ledger: Ledger, kernel: string, seq: number): Promise<readonly StoredEntry[]> {
  try {
    return await ledger.read(kernel, seq, 500);
  } catch {
    return ledger.read(kernel, seq, 1);
  }
}

async function copied(
  entries: readonly StoredEntry[],
  kernel: string,
  target: Address,
): Promise<Failure | undefined> {
  let made: Ledger | undefined;
  try {
    made = await openLedger(target.url, { create: true });
    // LIMIT: what one transaction takes.
    for (let at = 0; at < entries.length; at += 500) {
      const page = entries.slice(at, at + 500);
      await made.transact(kernel, at, () => page);
    }
    return undefined;
  } catch (thrown) {
    return ledgerFailure(thrown, target);
  } finally {
    await made?.close().catch(() => undefined);
  }
}
