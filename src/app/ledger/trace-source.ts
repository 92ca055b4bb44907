/**
 * The source of a trace: a ledger, or a file that `trace export` wrote. In such a file each line is
 * `{"seq":…,"hash":"…","entry":…}` with the entry exactly as it was hashed, so that any other byte shows.
 */
import type { Result } from "../../ir/index.ts";
import type { StoredEntry } from "../../kernel/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { linesOf } from "../files/stream-lines.ts";
import { type Address, addressOf, entriesOf, firstBytes, lengthOf, withLedger } from "./open.ts";

export interface TraceSource {
  readonly address: Address;
  /** Asks for the whole trace, page by page. Throws `Unreadable` for what can be no entry. */
  readonly entries: (from?: number) => AsyncIterable<StoredEntry>;
  /** Returns the number of entries, if that is known. */
  readonly total: () => Promise<number | undefined>;
  /** Other kernels of the ledger. */
  readonly kernels: () => Promise<readonly string[]>;
}

/** Not a trace, or not any more; what is there cannot be read as one. */
export class Unreadable extends Error {}

/** Does something with a trace. The failure is for what is not there; what is there and is no trace is `Unreadable`. */
export async function withTrace<T>(
  fs: FileSystem,
  text: string,
  kernel: string,
  work: (source: TraceSource) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const address = addressOf(text);
  if (!address.ok) return address;
  const { file } = address.value;
  if (file !== undefined && !text.startsWith("sqlite:")) {
    const first = await firstBytes(fs, file);
    if (!first.ok) return first;
    if (first.value === undefined) return noTrace(address.value);
    if (first.value[0] === "{".charCodeAt(0)) return work(exported(fs, address.value, file));
  }
  return withLedger(fs, address.value, (ledger) => work(traceOf(ledger, address.value, kernel)), "read");
}

export function traceOf(ledger: Ledger, address: Address, kernel: string): TraceSource {
  return {
    address,
    entries: (from) => entriesOf(ledger, kernel, from),
    total: () => lengthOf(ledger, kernel),
    kernels: () => ledger.kernels(),
  };
}

function noTrace({ shown }: Address): Failure {
  const help = "give a ledger that `kernel init` made, or a file that `trace export` wrote";
  return plainFailure("FC9006", `there is no ledger or exported trace at \`${shown}\``, help);
}

function exported(fs: FileSystem, address: Address, file: string): TraceSource {
  return {
    address,
    total: async () => undefined,
    kernels: async () => [],
    entries: async function* (from = 1) {
      let number = 0;
      for await (const line of linesOf(fs.chunks(file))) {
        number++;
        const stored = line.kind === "text" ? readLine(line.text) : undefined;
        if (stored === undefined)
          throw new Unreadable(`line ${number} of \`${file}\` is not an entry as \`trace export\` writes it`);
        if (stored.seq >= from) yield stored;
      }
    },
  };
}

const shape = /^\{"seq":([1-9]\d{0,14}),"hash":"([0-9a-f]{64})","entry":(\{.*\})\}$/s;

function readLine(line: string): StoredEntry | undefined {
  const [, seq, hash, entry] = shape.exec(line) ?? [];
  if (seq === undefined || hash === undefined || entry === undefined) return undefined;
  return { seq: Number(seq), hash, bytes: new TextEncoder().encode(entry) };
}

/** One line, without its end; throws `Unreadable` for bytes that are no text of one line. */
export function exportLine({ seq, hash, bytes }: StoredEntry): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable(`entry ${seq} is not a text`);
  }
  if (text.includes("\n") || !text.startsWith("{") || !text.endsWith("}"))
    throw new Unreadable(`entry ${seq} is not an entry`);
  return `{"seq":${seq},"hash":"${hash}","entry":${text}}`;
}
