/**
 * Sentences in the making: our own words, and parts that come from a document and must not be taken apart.
 * Rows are named late: only when everything is said it is known which of them need a letter to be told apart.
 */
import { type Expr, printExpr } from "../ir/index.ts";
import { renamed } from "./rename.ts";
import { codeText } from "./visible.ts";

export type Text = string | Part | readonly Text[];

export type Part =
  /** From a document, already made visible; not to be cut. */
  | { readonly kind: "atom"; readonly text: string }
  /** The words at the first mention: its letter, if it needs one. */
  | { readonly kind: "intro"; readonly thing: Thing }
  /** The words at a later mention. */
  | { readonly kind: "ref"; readonly thing: Thing }
  /** An expression in text form, with letters in place of the names that are bound outside of it. */
  | { readonly kind: "code"; readonly expr: Expr; readonly things: ReadonlyMap<string, Thing> };

/** Something that a sentence speaks of more than once: a row, or a number or value that was given a letter. */
export interface Thing {
  /** As it is spoken of again without a letter: that `email.send`. */
  readonly again: Text;
  /** True if something else in sight would have the same words. */
  alike: boolean;
  /** True if it is mentioned again. */
  mentioned: boolean;
  /** True if it needs a letter in any case. */
  lettered: boolean;
  letter?: string;
}

/** A template of our own words; what is filled in keeps its parts. */
export function say(words: TemplateStringsArray, ...parts: readonly Text[]): Text {
  return words.flatMap((word, i) => {
    const part = parts[i];
    return part === undefined ? [word] : [word, part];
  });
}

export function joined(parts: readonly Text[], between: string, last = between): Text {
  return parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? last : between, part]));
}

/** Returns whether it is one word or name, which anything may follow. */
export function isWord(text: Text): boolean {
  if (typeof text === "string") return !text.includes(" ");
  if ("kind" in text) return true;
  const parts = text.filter((part) => part !== "");
  const [only] = parts;
  return parts.length === 1 && only !== undefined && isWord(only);
}

export const atom = (text: string): Text => ({ kind: "atom", text });

export function intro(thing: Thing): Text {
  return { kind: "intro", thing };
}

export function refer(thing: Thing): Text {
  thing.mentioned = true;
  return { kind: "ref", thing };
}

// ── to the end ───────────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of characters; a sentence is for reading. */
export const mostCharacters = 1200;

/** The words as a string; `taken` are names that a letter must not be. */
export function finished(text: Text, taken: ReadonlySet<string>, most: number): string {
  const pieces: string[] = [];
  const letters = lettersBut(taken);
  const visit = (part: Text): void => {
    if (typeof part === "string") {
      // Cut between words only.
      for (const word of part.split(/(?<= )/)) pieces.push(word);
    } else if ("kind" in part) {
      pieces.push(pieceOf(part, letters));
    } else for (const inner of part) visit(inner);
  };
  visit(text);
  return cut(pieces, most);
}

function pieceOf(part: Part, letters: Iterator<string, never>): string {
  switch (part.kind) {
    case "atom":
      return part.text;
    case "intro":
      return isLettered(part.thing) ? ` (call it ${letterOf(part.thing, letters)})` : "";
    case "ref":
      if (isLettered(part.thing)) return letterOf(part.thing, letters);
      return finished(part.thing.again, new Set(), Number.POSITIVE_INFINITY);
    case "code": {
      const names = new Map(Array.from(part.things, ([name, thing]) => [name, letterOf(thing, letters)]));
      return codeText(printExpr(renamed(part.expr, names)));
    }
  }
}

function isLettered({ lettered, alike, mentioned }: Thing): boolean {
  return lettered || (alike && mentioned);
}

function letterOf(thing: Thing, letters: Iterator<string, never>): string {
  thing.letter ??= letters.next().value;
  return thing.letter;
}

/** A, B, …, Z, A1, B1, … */
function* lettersBut(taken: ReadonlySet<string>): Generator<string, never> {
  for (let round = 0; ; round++) {
    for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
      const name = round === 0 ? letter : `${letter}${round}`;
      if (!taken.has(name)) yield name;
    }
  }
}

function cut(pieces: readonly string[], most: number): string {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= most) return pieces.join("");
  const note = (left: number) => `… (cut here: ${left} more characters must be read before this is approved)`;
  let room = most - note(length).length - 1;
  const kept: string[] = [];
  for (const piece of pieces) {
    room -= piece.length;
    if (room < 0) break;
    kept.push(piece);
  }
  const start = kept.join("");
  return `${start.trimEnd()} ${note(length - start.length)}`;
}
