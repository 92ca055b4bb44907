/**
 * The names of a view: which thing each stands for, its IRI, and how it reads in the notation of description logic.
 * INVARIANT: different things have different IRIs and different words, whatever they are called.
 */
import { printLabel, printName, printString } from "../ir/index.ts";

export interface Name {
  readonly space: Space;
  /** One for the vocabulary and for tools, labels, calls; the steps of a path for values. */
  readonly parts: readonly string[];
}

/** Namespace of a name: the vocabulary, tools and so on, or values of calls, results, rows and inputs. */
export type Space = (typeof spaces)[number];

export const spaces = [
  "fc",
  "tool",
  "label",
  "rows",
  "call",
  "guarantee",
  "arg",
  "result",
  "row",
  "input",
  "elements",
  "given",
] as const;

/** Prefix of the IRIs. */
export const base = "urn:foreclaim:view:";

const word = (name: string): Name => ({ space: "fc", parts: [name] });

export const operation = word("Operation");
export const run = word("Run");
export const row = word("Row");
/** The one run that a view is about. */
export const theRun = word("run");
export const hasEffect = word("hasEffect");
export const hasRow = word("hasRow");
/** Annotations: how far a guarantee is said, what makes that so, and what is not said. */
export const status = word("status");
export const closure = word("closure");
export const reason = word("reason");
/** Condition of a call. */
export const condition = word("when");
/** Links an axiom to its guarantee. */
export const claimOf = word("claimOf");

export function named(space: Exclude<Space, "fc">, ...parts: readonly string[]): Name {
  return { space, parts };
}

/** The text after the prefix of its space. */
export function localOf({ parts }: Name): string {
  return parts.map(escaped).join("/");
}

export function prefixOf(space: Space): string {
  return space === "fc" ? base : `${base}${space}/`;
}

export function iriOf(name: Name): string {
  return prefixOf(name.space) + localOf(name);
}

/** `tool:email.send`, or the IRI in full where what stands after the prefix is not plainly a name. */
export function shortIri(name: Name): string {
  const local = localOf(name);
  const isPlain = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/.test(local);
  return isPlain ? `${name.space}:${local}` : `<${iriOf(name)}>`;
}

/** Everything but letters, digits and a few marks as bytes in per cent; half of a pair as the bytes it would have. */
function escaped(text: string): string {
  let out = "";
  for (const char of text) out += /^[A-Za-z0-9_.-]$/.test(char) ? char : percent(char.codePointAt(0) ?? 0);
  // A step must not be taken for "here" or "one up", and an empty one must be seen.
  if (out === "") return "~";
  return /^\.+$/.test(out) ? out.replaceAll(".", "%2E") : out;
}

function percent(point: number): string {
  return bytesOf(point)
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function bytesOf(point: number): number[] {
  if (point < 0x80) return [point];
  const more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  const lead = [0, 0xc0, 0xe0, 0xf0][more] ?? 0;
  const last = Array.from({ length: more }, (_, i) => 0x80 | ((point >> (6 * (more - 1 - i))) & 0x3f));
  return [lead | (point >> (6 * more)), ...last];
}

/** As it reads in description logic. */
export function wordsOf({ space, parts }: Name): string {
  const [first = ""] = parts;
  const path = parts.map(printLabel).join("/");
  switch (space) {
    case "fc":
      return first;
    case "tool":
      // A tool without a module could be called as a word of the vocabulary is.
      return first.includes(".") ? printName(first) : `tool:${printName(first)}`;
    case "label":
      return `label:${printString(first)}`;
    case "rows":
      return `rows:${printName(first)}`;
    case "arg":
      // Those two are roles.
      return path === hasEffect.parts[0] || path === hasRow.parts[0] ? `\`${path}\`` : path;
    case "call":
    case "guarantee":
    case "result":
    case "row":
    case "input":
    case "elements":
    case "given":
      return path === "" ? space : `${space}:${path}`;
  }
}
