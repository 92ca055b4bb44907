/** What failures of the PostgreSQL server, and of the way to it, mean for a ledger. */

import pg from "pg";
import { InDoubt, LedgerUnavailable } from "../port.ts";

/** Nothing was appended and the server is not to blame: the same can be tried again. */
const AGAIN = new Set([
  "40001", // serialisation failure
  "40P01", // deadlock
  "55P03", // the lock was not free in time
]);

/** The server is there and does not take us in at the moment. */
const LATER = new Set([
  "57P01", // shutting down
  "57P02", // another of its processes crashed
  "57P03", // starting up
  "57P05", // the session was idle for too long
  "53300", // too many connections
  "25P03", // the transaction was idle for too long
]);

/** What the driver says, without a code, of connections that ended or never came about. */
const BROKEN =
  /^(connection terminated|timeout e|query read timeout|client has encountered|client was closed)/i;

/** The server answered with an error; otherwise it is not known what became of the question. */
export function isAnswer(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Entries did not follow the last one, or were there already; nothing was appended. */
export function isStale(error: unknown): boolean {
  return isAnswer(error) && error.severity === "ERROR" && (error.code === "23000" || error.code === "23505");
}

export function isAgain(error: unknown): boolean {
  return isAnswer(error) && AGAIN.has(error.code ?? "");
}

/** The way to the server broke, or could not be made; it may be there again in a moment. */
export function isLost(error: unknown): boolean {
  if (isAnswer(error)) return LATER.has(error.code ?? "") || error.code?.startsWith("08") === true;
  if (!(error instanceof Error) || error instanceof LedgerUnavailable || error instanceof InDoubt)
    return false;
  return "syscall" in error || error instanceof AggregateError || BROKEN.test(error.message);
}

export function unavailable(url: string, error: unknown): unknown {
  if (error instanceof LedgerUnavailable || error instanceof InDoubt || error instanceof TypeError)
    return error;
  return reasonFor(url, error, { cause: error });
}

function reasonFor(url: string, error: unknown, cause: ErrorOptions): LedgerUnavailable {
  if (!isAnswer(error))
    return LedgerUnavailable.for("cannot be reached", { url, detail: detail(error) }, cause);
  const why = error.message;
  switch (error.code) {
    case "55P03":
    case "57014":
      return LedgerUnavailable.for("held by others", { url }, cause);
    case "40001":
    case "40P01":
      return LedgerUnavailable.for("in too much demand", { url }, cause);
    case "28P01":
    case "28000":
      return LedgerUnavailable.for("not let in", { url }, cause);
    case "3D000":
      return LedgerUnavailable.for("no database", { url }, cause);
    case "42501":
      return LedgerUnavailable.for("not allowed to", { url, why }, cause);
    case "53100":
      return LedgerUnavailable.for("no room", { url }, cause);
    default:
      return LedgerUnavailable.for(isLost(error) ? "takes no connections" : "answered", { url, why }, cause);
  }
}

/** The system's short word for it; the texts around it name addresses and are empty when there were several. */
function detail(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return ` (${error.code})`;
  return error.message === "" ? "" : `: ${error.message.toLowerCase()}`;
}
