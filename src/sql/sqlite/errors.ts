/** Classifies errors of the SQLite engine by SQLite's own codes. */

import { SqlFailure } from "../failure.ts";

/** The lower byte of SQLite's extended codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

/** Another connection holds the lock; the same can be tried again. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === BUSY || code === LOCKED;
}

/** The disk is full: SQLite has rolled the transaction back. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === FULL;
}

/** The disk may be full: SQLite says so, or cannot make or enlarge one of its files. */
export function isOutOfRoom(error: unknown): boolean {
  const cause = error instanceof SqlFailure ? error.cause : error;
  const code = codeOf(cause);
  return code === FULL || code === IOERR || code === CANTOPEN;
}

/** The contents make no sense to SQLite. */
export function isCorrupt(error: unknown): boolean {
  return codeOf(error) === CORRUPT;
}

/** A constraint or a trigger of the schema refuses the statement, and SQLite has undone it. */
export function isRefused(error: unknown): boolean {
  return codeOf(error) === CONSTRAINT;
}

/** Returns the failure for an error of the engine; every other error is returned as it is. */
export function sqliteFailure(url: string, noun: string, error: unknown): unknown {
  const code = codeOf(error);
  return code === undefined ? error : failureFor(url, noun, code, error);
}

function failureFor(url: string, noun: string, code: number, cause: unknown): SqlFailure {
  switch (code) {
    case BUSY:
    case LOCKED:
      return SqlFailure.for("held by others", { url }, { cause });
    case READONLY:
      return SqlFailure.for("not writable", { url }, { cause });
    case FULL:
      return SqlFailure.for("no room", { url }, { cause });
    case IOERR:
      return SqlFailure.for("disk error", { url }, { cause });
    case CORRUPT:
      return SqlFailure.for("damaged", { url }, { cause });
    case NOTADB:
      return SqlFailure.for("something else", { url, noun }, { cause });
    default: {
      const why = cause instanceof Error ? cause.message : String(cause);
      return SqlFailure.for("refused by SQLite", { url, why }, { cause });
    }
  }
}

/** The primary code; 0 for an error of the engine without one. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  // A number of a row that no JavaScript number holds: nobody wrote it through this engine.
  if (error.code === "ERR_OUT_OF_RANGE") return CORRUPT;
  if (error.code !== "ERR_SQLITE_ERROR") return undefined;
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}
