/** What the SQLite engine's failures mean for a ledger. */

import { InDoubt, LedgerUnavailable } from "../port.ts";

/** The lower byte of SQLite's extended codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CONSTRAINT = 19;
const NOTADB = 26;

/** Someone else holds the lock; asking again later is all it takes. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === BUSY || code === LOCKED;
}

/** The disk is full: SQLite has undone the transaction. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === FULL;
}

/** The schema refuses what was asked, and SQLite has undone it. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === CONSTRAINT;
}

export function isNoDatabase(error: unknown): boolean {
  return codeOf(error) === NOTADB;
}

/** The same in the words of a ledger; what is none of the engine's stays what it is. */
export function translated(url: string, error: unknown): unknown {
  if (error instanceof LedgerUnavailable || error instanceof InDoubt) return error;
  const code = codeOf(error);
  return code === undefined
    ? error
    : new LedgerUnavailable(`${url} ${reason(code, error)}`, { cause: error });
}

function reason(code: number, error: unknown): string {
  switch (code) {
    case BUSY:
    case LOCKED:
      return "is held by another process for too long";
    case READONLY:
      return "may not be written";
    case FULL:
      return "has no room left on its disk";
    case IOERR:
      return "cannot be read or written: its disk reports an error";
    case CORRUPT:
      return "is damaged";
    case NOTADB:
      return "is not a ledger";
    default:
      return `was refused by SQLite: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("rawCode" in error) || typeof error.rawCode !== "number")
    return undefined;
  return error.rawCode & 0xff;
}
