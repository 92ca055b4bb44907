/** Argument checks shared by all ledgers, so that every engine refuses the same input with the same words. */

import { LedgerUnavailable, type Snapshot, type Stored } from "./port.ts";

/** LIMIT: bytes of a kernel's name in UTF-8. */
export const MAX_NAME_BYTES = 200;
/** LIMIT: bytes of one entry. */
export const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
/** LIMIT: bytes of what one `decide` appends. */
export const MAX_APPEND_BYTES = 64 * 1024 * 1024;
/** LIMIT: bytes of one snapshot. */
export const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024;

const HASH = /^[0-9a-f]{64}$/;
// Control characters are no part of a name that people read, and not every engine can keep NUL.
const CONTROL = /\p{Cc}/u;

export function checkKernel(kernel: string): void {
  if (typeof kernel !== "string" || kernel === "")
    throw new TypeError("a kernel's name is a text and not empty");
  if (!isWellFormed(kernel)) throw new TypeError("a kernel's name has half a character (a lone surrogate)");
  if (CONTROL.test(kernel)) throw new TypeError("a kernel's name has a control character");
  if (Buffer.byteLength(kernel) > MAX_NAME_BYTES) {
    throw new TypeError(`a kernel's name is longer than ${MAX_NAME_BYTES} bytes`);
  }
}

export function checkSince(since: number): void {
  if (!isCount(since)) throw new RangeError("`since` is a sequence number, or 0 for the beginning");
}

export function checkPage(from: number, limit: number): void {
  if (!isCount(from) || from === 0) throw new RangeError("`from` is a sequence number, which count from 1");
  if (!isCount(limit) || limit === 0) throw new RangeError("`limit` is a whole number above 0");
}

/** The caller has seen entries that are not there: an older copy was put in the ledger's place. */
export function setBack(url: string, kernel: string, since: number): LedgerUnavailable {
  return LedgerUnavailable.for("set back", { url, kernel, seq: since });
}

/** Throws unless these can follow the entry `head`. */
export function checkAppended(entries: readonly Stored[], head: number): void {
  // A promise is what an async `decide` would give; its entries would come after the transaction.
  if (!Array.isArray(entries)) throw new TypeError("`decide` gives a list of entries, at once");
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const seq = head + index + 1;
    if (entry.seq !== seq) throw new RangeError(`entry ${entry.seq} cannot be appended where ${seq} is next`);
    if (!HASH.test(entry.hash))
      throw new TypeError(`the hash of entry ${seq} is not 64 lower-case hex digits`);
    if (!(entry.bytes instanceof Uint8Array) || entry.bytes.length === 0) {
      throw new TypeError(`entry ${seq} has no bytes`);
    }
    if (entry.bytes.length > MAX_ENTRY_BYTES) {
      throw new RangeError(`entry ${seq} has ${entry.bytes.length} bytes, more than ${MAX_ENTRY_BYTES}`);
    }
    bytes += entry.bytes.length;
  }
  if (bytes > MAX_APPEND_BYTES) {
    throw new RangeError(`${bytes} bytes are appended at once, more than ${MAX_APPEND_BYTES}`);
  }
}

export function checkSnapshot({ seq, bytes }: Snapshot): void {
  if (!isCount(seq) || seq === 0) throw new RangeError("a snapshot names the last entry that it includes");
  if (!(bytes instanceof Uint8Array)) throw new TypeError("a snapshot is bytes");
  if (bytes.length > MAX_SNAPSHOT_BYTES) {
    throw new RangeError(`a snapshot has ${bytes.length} bytes, more than ${MAX_SNAPSHOT_BYTES}`);
  }
}

export function snapshotAhead(kernel: string, seq: number): RangeError {
  return new RangeError(`a snapshot of \`${kernel}\` includes entry ${seq}, which is not there`);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** `String.prototype.isWellFormed`, which the types of this language version do not know. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
