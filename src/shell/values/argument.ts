/**
 * Arguments of a command as far as they are known before it runs: text with marks for the parts that only the run decides.
 * The marks are characters for private use; a command that holds one itself is refused before it gets here.
 */

/** Text that only the run knows. */
export const UNKNOWN = "\uE000";
/** `*` of an unquoted pattern: any text without a slash. */
export const STAR = "\uE001";
/** `?` or `[…]` of an unquoted pattern: one character. */
export const ONE = "\uE002";
/** The home folder. */
export const HOME = "\uE003";

const MARKS = /[\uE000-\uE003]/;
export const FORBIDDEN_MARKS = /[\uE000-\uE00F]/;

/**
 * Origin of unknown text: an unassigned variable, names of files below the working folder, output that holds no path,
 * a fresh temporary file, other output, or output of a decoder.
 */
export type Origin = "variable" | "listing" | "harmless" | "temporary" | "output" | "decoded";

export interface Argument {
  readonly text: string;
  readonly origins: readonly Origin[];
  /** Names of variables that nothing in the command assigns. */
  readonly variables: readonly string[];
}

export function literal(text: string): Argument {
  return { text, origins: [], variables: [] };
}

export function unknown(origin: Origin, variable?: string): Argument {
  return { text: UNKNOWN, origins: [origin], variables: variable === undefined ? [] : [variable] };
}

export function isLiteral(argument: Argument): boolean {
  return !MARKS.test(argument.text);
}

export function join(a: Argument, b: Argument): Argument {
  return {
    text: a.text + b.text,
    origins: [...a.origins, ...b.origins],
    variables: [...a.variables, ...b.variables],
  };
}

export function comesFrom(argument: Argument, ...origins: readonly Origin[]): boolean {
  return argument.origins.some((origin) => origins.includes(origin));
}

/** The argument as a message shows it. */
export function shown(text: string): string {
  const plain = text
    .replaceAll(UNKNOWN, "…")
    .replaceAll(STAR, "*")
    .replaceAll(ONE, "?")
    .replaceAll(HOME, "~");
  return plain.length > 60 ? `${plain.slice(0, 57)}…` : plain;
}

/** A regular expression for the texts that an argument may stand for. */
export function matcher(text: string): RegExp {
  const source = [...text].map((char) => {
    if (char === UNKNOWN) return ".*";
    if (char === STAR) return "[^/]*";
    if (char === ONE) return "[^/]";
    return char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "su");
}
