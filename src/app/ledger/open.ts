/**
 * The ledger that a command names, and the kernel on it. Nothing here makes a ledger or a kernel unless it is asked to,
 * and engines are loaded only for a ledger of their kind.
 */
import { ok, type Result } from "../../ir/index.ts";
import { Kernel, LedgerBroken, type StoredEntry } from "../../kernel/index.ts";
import { InDoubt, type Ledger, LedgerUnavailable, openLedger } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { systemCode, systemWords } from "../files/system-words.ts";
import { listed } from "../report/words.ts";
import { readPrivateKey } from "./keys.ts";

export interface Address {
  readonly url: string;
  /** As it may be shown: without a password. */
  readonly shown: string;
  /** The path of a SQLite file. */
  readonly file?: string;
}

/** The options of every command on a kernel. */
export interface KernelChoice extends Asker {
  readonly kernel: string;
  readonly json?: boolean;
}

/** The principal that asks, and the file of its key. */
export interface Asker {
  readonly principal?: string;
  readonly principalKey?: string;
}

/** A bare path is a SQLite file; one letter and a colon is a drive. */
export function addressOf(text: string): Result<Address, Failure> {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "memory") {
    const help = "name a file, such as `ledger.db`; `kernel eval` tries actions and keeps nothing";
    return refusedAddress("a ledger in memory would be gone when the command ends", help);
  }
  if (scheme === undefined) return ok({ url: `sqlite:${text}`, shown: text, file: text });
  if (scheme === "sqlite") {
    const rest = text.slice("sqlite:".length);
    return ok({ url: text, shown: text, file: rest.startsWith("///") ? rest.slice(2) : rest });
  }
  if (scheme === "postgres" || scheme === "postgresql") return ok({ url: text, shown: "postgres://..." });
  return refusedAddress(
    `no ledger has the scheme \`${scheme}:\``,
    "there are `sqlite:<file>`, a bare path and `postgres://...`",
  );
}

function refusedAddress(message: string, help: string): Result<Address, Failure> {
  return plainFailure("FC9006", message, help);
}

/** The first bytes of a file: undefined if there is none, empty if nothing is in it. */
export async function firstBytes(
  fs: FileSystem,
  path: string,
): Promise<Result<Uint8Array | undefined, Failure>> {
  try {
    for await (const chunk of fs.chunks(path)) return ok(chunk);
    return ok(new Uint8Array());
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOENT") return ok(undefined);
    return plainFailure("FC9006", `cannot read \`${path}\`: ${systemWords(code)}`);
  }
}

/** The address of a file that is no ledger yet, because it is not there or empty: an engine would make one of it. */
export async function absentFile(
  fs: FileSystem,
  address: Address,
): Promise<Result<(Address & { readonly file: string }) | undefined, Failure>> {
  const { file } = address;
  if (file === undefined) return ok(undefined);
  const first = await firstBytes(fs, file);
  if (!first.ok) return first;
  return ok(first.value === undefined || first.value.length === 0 ? { ...address, file } : undefined);
}

/** Does something with a ledger that is there, and closes it; what the ledger says is told in one way. */
export async function withLedger<T>(
  fs: FileSystem,
  address: Address,
  work: (ledger: Ledger) => Promise<Result<T, Failure>>,
  purpose: "write" | "create" | "read" = "write",
): Promise<Result<T, Failure>> {
  const create = purpose === "create";
  if (!create) {
    const absent = await absentFile(fs, address);
    if (!absent.ok) return absent;
    if (absent.value !== undefined) return noLedger(address);
  }
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger(address.url, { create, readOnly: purpose === "read" });
    return await work(ledger);
  } catch (thrown) {
    return ledgerFailure(thrown, address);
  } finally {
    // A failure to close would hide the one before it.
    await ledger?.close().catch(() => undefined);
  }
}

/** Returns the failure of a ledger; throws on anything else, which is a fault of ours. */
export function ledgerFailure(thrown: unknown, { shown }: Address): Failure {
  if (thrown instanceof LedgerBroken) {
    if (thrown.problem?.reason === "functions not given") {
      const message =
        "some rules of this kernel are functions, and only the program that has them can judge by them";
      return plainFailure("FC9008", message, "`kernel status` and `foreclaim trace` work without them");
    }
    const help = `see \`foreclaim trace verify ${shown}\`; nothing is decided on top of such a trace`;
    return plainFailure("FC9007", thrown.message, help);
  }
  if (thrown instanceof InDoubt) {
    const help = `\`foreclaim trace show ${shown}\` shows its entries`;
    return plainFailure("FC9006", thrown.message, help);
  }
  if (thrown instanceof LedgerUnavailable) {
    const isAway = thrown.reason === "cannot be reached";
    const failure = plainFailure(
      "FC9006",
      thrown.message,
      ...(isAway ? ["is the server running there?"] : []),
    );
    return thrown.isPassing ? { ...failure, isPassing: true } : failure;
  }
  throw thrown;
}

/** @param other a further way to get one */
export function noLedger({ shown }: Address, other = ""): Failure {
  return plainFailure("FC9006", `there is no ledger at \`${shown}\``, `${makeOne(shown)}${other}`);
}

/** Returns a failure with help if the ledger has no such kernel. */
export async function requireKernel(
  ledger: Ledger,
  address: Address,
  name: string,
): Promise<Failure | undefined> {
  const [first] = await ledger.read(name, 1, 1);
  if (first !== undefined) return undefined;
  const others = await ledger.kernels();
  const message = `there is no kernel \`${name}\` in \`${address.shown}\``;
  if (others.length === 0) return plainFailure("FC9008", message, makeOne(address.shown));
  const names = listed(others.slice(0, 10).map((one) => `\`${one}\``));
  return plainFailure("FC9008", message, `it has ${names}; choose one with --kernel`);
}

function makeOne(shown: string): string {
  return `make one: \`foreclaim kernel init ${shown} --budget usd=10\``;
}

/** Opens a kernel that is there. */
export async function withKernel<T>(
  fs: FileSystem & Clock,
  address: Address,
  name: string,
  work: (kernel: Kernel) => Promise<Result<T, Failure>>,
  { principal, principalKey }: Asker = {},
): Promise<Result<T, Failure>> {
  const key = principalKey === undefined ? undefined : await readPrivateKey(fs, principalKey);
  if (key?.ok === false) return key;
  return withLedger(fs, address, async (ledger) => {
    const absent = await requireKernel(ledger, address, name);
    if (absent !== undefined) return absent;
    const opened = await Kernel.open({
      ledger,
      name,
      clock: fs.wallMs,
      ...(principal === undefined ? {} : { principal }),
      ...(key === undefined ? {} : { privateKey: key.value }),
    });
    if (!opened.ok) return plainFailure("FC9008", opened.problem.message);
    try {
      return await work(opened.value);
    } finally {
      // It leaves what makes the next start quicker; that it cannot says nothing of what was decided.
      await opened.value.close().catch(() => undefined);
    }
  });
}

/** LIMIT: entries that are read at once. */
const pageLength = 1_000;

export async function* entriesOf(ledger: Ledger, name: string, from = 1): AsyncGenerator<StoredEntry> {
  for (let next = from; ; ) {
    const page = await ledger.read(name, next, pageLength);
    yield* page;
    if (page.length < pageLength) return;
    next = (page.at(-1)?.seq ?? next) + 1;
  }
}

/** Returns the number of entries, by asking for few of them. */
export async function lengthOf(ledger: Ledger, name: string): Promise<number> {
  const has = async (seq: number) => (await ledger.read(name, seq, 1)).length > 0;
  let beyond = 1;
  while (await has(beyond)) beyond *= 2;
  let known = Math.floor(beyond / 2);
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (await has(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}
