/** Reads what solvers say. Strict: an answer that is not word for word an expected one is an error, never a verdict. */
import { type Num, ratio } from "../../../ir/index.ts";
import { type Model, type Scalar, type SolverAnswer, type Sort, unknown, type Wanted } from "./port.ts";
import { readSexprs, type Sexpr } from "./sexpr.ts";

/** The answer to `(get-value …)`: pairs in the order of the question, whose terms need no second look. */
export function decodeValues(reply: string, wanted: readonly Wanted[]): SolverAnswer {
  const pairs = listIn(reply);
  if (pairs?.length !== wanted.length) return unexpected(reply);
  const model = new Map<string, Scalar>();
  const undecodable = new Map<string, string>();
  for (const [i, { name, sort }] of wanted.entries()) {
    const pair = pairs[i];
    const written = typeof pair === "object" && pair.length === 2 ? pair[1] : undefined;
    if (written === undefined) return unexpected(reply);
    const value = decodeValue(written, sort);
    if (value === undefined) undecodable.set(name, excerpt(textOf(written)));
    else model.set(name, value);
  }
  return sat(model, undecodable);
}

export function sat(model: Model, undecodable: ReadonlyMap<string, string>): SolverAnswer {
  return { kind: "sat", model, undecodable };
}

/** The answer to `(get-info :reason-unknown)`. */
export function decodeReason(reply: string): SolverAnswer {
  const [keyword, said] = listIn(reply) ?? [];
  if (keyword !== ":reason-unknown" || said === undefined) return unexpected(reply);
  const reason = textOf(said).replaceAll('"', "");
  for (const [pattern, kind] of reasons) if (pattern.test(reason)) return unknown(kind, excerpt(reason));
  return unknown("incomplete", excerpt(reason));
}

// No deadline is ever given to a solver, only a count of steps: whatever cancelled itself has used that up.
const reasons = [
  [/memout|memory/i, "memory"],
  [/timeout/i, "timeout"],
  [/cancel|resource|interrupt/i, "resources"],
] as const;

/** Anything that is not an answer. An error in a script is said here too. */
export function unexpected(reply: string): SolverAnswer {
  const first = readSexprs(reply)?.[0];
  const message = typeof first === "object" && first[0] === "error" ? first[1] : undefined;
  const detail = typeof message === "string" ? message.replace(/^"|"$/g, "").replaceAll('""', '"') : reply;
  return unknown("error", detail.trim() === "" ? "the solver gave no answer" : excerpt(detail.trim()));
}

/** The elements of the reply, if it is one list. */
function listIn(reply: string): readonly Sexpr[] | undefined {
  const [only, ...rest] = readSexprs(reply) ?? [];
  return typeof only === "object" && rest.length === 0 ? only : undefined;
}

/** The value, or undefined for what is none of this sort or has no exact form. */
export function decodeValue(written: Sexpr, sort: Sort): Scalar | undefined {
  switch (sort) {
    case "Bool":
      return written === "true" ? true : written === "false" ? false : undefined;
    case "Int": {
      const number = decodeNumber(written);
      return typeof number === "bigint" ? number : undefined;
    }
    case "Real":
      return decodeNumber(written);
    case "String":
      return typeof written === "string" ? decodeString(written) : undefined;
  }
}

/** `5`, `0.25`, `(- 5)`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`, `(/ (- 1) 3)`. */
function decodeNumber(written: Sexpr): Num | undefined {
  if (typeof written === "string") return decodeNumeral(written);
  const [head, a] = written;
  if (head === "-" && a !== undefined && written.length === 2) {
    const negated = decodeQuotient(a);
    return negated === undefined ? undefined : over(negated, -1n);
  }
  return decodeQuotient(written);
}

function decodeQuotient(written: Sexpr): Num | undefined {
  if (typeof written === "string") return decodeNumeral(written);
  const [head, a, b] = written;
  if (head !== "/" || a === undefined || b === undefined || written.length > 3) return undefined;
  const [above, below] = [decodeSigned(a), decodeSigned(b)];
  if (above === undefined || typeof below !== "bigint" || below === 0n) return undefined;
  return over(above, below);
}

function decodeSigned(written: Sexpr): Num | undefined {
  if (typeof written === "string") return decodeNumeral(written);
  const [head, a] = written;
  if (head !== "-" || typeof a !== "string" || written.length > 2) return undefined;
  const negated = decodeNumeral(a);
  return negated === undefined ? undefined : over(negated, -1n);
}

/** LIMIT: no value in a run is as long, and reading digits takes more than their number in time. */
const maxDigits = 20_000;

function decodeNumeral(written: string): Num | undefined {
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(written);
  if (match === null || written.length > maxDigits) return undefined;
  const [, whole = "", fraction = ""] = match;
  return ratio(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

function over(x: Num, divisor: bigint): Num {
  return typeof x === "bigint" ? ratio(x, divisor) : ratio(x.num, x.den * divisor);
}

const unitEscape = /\\u(?:\{([0-9a-fA-F]{1,5})\}|([0-9a-fA-F]{4}))/g;

/** A string of code units. A backslash that begins no escape is a backslash. */
function decodeString(written: string): string | undefined {
  const quoted = written.slice(1, -1);
  if (!written.startsWith('"') || !written.endsWith('"') || /[^ -\x7f]/.test(quoted)) return undefined;
  let beyond = false;
  const text = quoted
    .replaceAll('""', '"')
    .replace(unitEscape, (_, braced: string | undefined, four: string | undefined) => {
      const unit = Number.parseInt(braced ?? four ?? "", 16);
      // Not two surrogates: that would be a string of another length than the one the solver speaks of.
      beyond ||= unit > 0xffff;
      return String.fromCharCode(unit);
    });
  return beyond ? undefined : text;
}

function textOf(sexpr: Sexpr, depth = 0): string {
  if (typeof sexpr === "string") return sexpr;
  return depth > 20 ? "(…)" : `(${sexpr.map((part) => textOf(part, depth + 1)).join(" ")})`;
}

/** LIMIT: details are for people to read. */
const maxDetail = 500;

function excerpt(text: string): string {
  return text.length > maxDetail ? `${text.slice(0, maxDetail)}…` : text;
}
