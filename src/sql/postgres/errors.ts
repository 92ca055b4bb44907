/** Classifies errors of a PostgreSQL server, and of the connection to it. */

import { SqlFailure } from "../failure.ts";

/** An error that the server reports. */
interface ServerError extends Error {
  readonly severity: string;
  readonly code: string;
}

/** Nothing was written and the server is not to blame: the same can be tried again. */
const CONFLICTS = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // the lock was not free in time
]);

/** The server is there and takes no connections at the moment. */
const LATER = new Set([
  "57P01", // shutting down
  "57P02", // another of its processes crashed
  "57P03", // starting up
  "57P05", // the session was idle for too long
  "53300", // too many connections
  "25P03", // the transaction was idle for too long
]);

/** The driver's words, without a code, for connections that ended or never came about. */
const BROKEN =
  /^(connection terminated|timeout e|query read timeout|client has encountered|client was closed)/i;

/** The server answered with an error; otherwise it is not known what became of the query. */
export function isServerError(error: unknown): error is ServerError {
  // By its form: the driver's class would load the driver.
  return (
    error instanceof Error &&
    "severity" in error &&
    typeof error.severity === "string" &&
    "code" in error &&
    typeof error.code === "string"
  );
}

/** A constraint or a trigger of the schema refuses the statement, and nothing was written. */
export function isIntegrityError(error: unknown): boolean {
  return isServerError(error) && error.severity === "ERROR" && /^23(000|505)$/.test(error.code);
}

export function isConflict(error: unknown): boolean {
  return isServerError(error) && CONFLICTS.has(error.code);
}

/** The connection broke, or could not be made; the server may be there again in a moment. */
export function isDisconnect(error: unknown): boolean {
  if (isServerError(error)) return LATER.has(error.code) || error.code.startsWith("08");
  if (!(error instanceof Error) || error instanceof SqlFailure) return false;
  return "syscall" in error || error instanceof AggregateError || BROKEN.test(error.message);
}

/** Returns the failure for an error of the server or of the connection to it. */
export function postgresFailure(url: string, noun: string, error: unknown): SqlFailure {
  if (error instanceof SqlFailure) return error;
  const cause = { cause: error };
  if (!isServerError(error))
    return SqlFailure.for("cannot be reached", { url, detail: detail(error) }, cause);
  const why = error.message;
  switch (error.code) {
    case "55P03":
    case "57014":
      return SqlFailure.for("held by others", { url }, cause);
    case "40001":
    case "40P01":
      return SqlFailure.for("in too much demand", { url }, cause);
    case "28P01":
    case "28000":
      return SqlFailure.for("not let in", { url }, cause);
    case "3D000":
      return SqlFailure.for("no database", { url }, cause);
    case "42501":
      return SqlFailure.for("not allowed to", { url, noun, why }, cause);
    case "53100":
      return SqlFailure.for("no room", { url }, cause);
    default:
      return SqlFailure.for(isDisconnect(error) ? "takes no connections" : "answered", { url, why }, cause);
  }
}

/** The system's short word for it; the texts around it name addresses and are empty when there were several. */
function detail(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return ` (${error.code})`;
  return error.message === "" ? "" : `: ${error.message.toLowerCase()}`;
}
