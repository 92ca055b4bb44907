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
  return code === undefined ? error : reasonFor(url, code, error);
}

function reasonFor(url: string, code: number, cause: unknown): LedgerUnavailable {
  switch (code) {
    case BUSY:
    case LOCKED:
      return LedgerUnavailable.for("held by others", { url }, { cause });
    case READONLY:
      return LedgerUnavailable.for("not writable", { url }, { cause });
    case FULL:
      return LedgerUnavailable.for("no room", { url }, { cause });
    case IOERR:
      return LedgerUnavailable.for("disk error", { url }, { cause });
    case CORRUPT:
      return LedgerUnavailable.for("damaged", { url }, { cause });
    case NOTADB:
      return LedgerUnavailable.for("not a ledger", { url }, { cause });
    default: {
      const why = cause instanceof Error ? cause.message : String(cause);
      return LedgerUnavailable.for("refused by SQLite", { url, why }, { cause });
    }
  }
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("rawCode" in error) || typeof error.rawCode !== "number")
    return undefined;
  return error.rawCode & 0xff;
}
