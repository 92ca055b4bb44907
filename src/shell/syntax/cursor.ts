/** Position in the text of a script, with the here-documents whose bodies are still to come. */

import type { Word } from "./tree.ts";

export interface Pending {
  readonly delimiter: string;
  readonly literal: boolean;
  readonly stripTabs: boolean;
  readonly fill: (body: Word) => void;
}

export interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  pending: Pending[];
}

/** Nesting of commands, substitutions and quotes that the parser follows. */
export const MAX_DEPTH = 40;

/** Thrown by the parser where the text is no bash that it knows; never leaves `parseScript`. */
export class SyntaxFault extends Error {}

export function cursor(text: string): Cursor {
  return { text, at: 0, depth: 0, pending: [] };
}

export function peek(at: Cursor, ahead = 0): string {
  return at.text[at.at + ahead] ?? "";
}

export function looksAt(at: Cursor, text: string): boolean {
  return at.text.startsWith(text, at.at);
}

export function fail(what: string): never {
  throw new SyntaxFault(what);
}

/** Takes this text, or fails. */
export function expect(at: Cursor, text: string): void {
  if (!looksAt(at, text)) fail(`\`${text}\` is missing`);
  at.at += text.length;
}

/** Runs a nested parse; fails when nesting is too deep. */
export function nested<Result>(at: Cursor, parse: () => Result): Result {
  at.depth += 1;
  if (at.depth > MAX_DEPTH) fail("commands are nested too deeply");
  const result = parse();
  at.depth -= 1;
  return result;
}
