/** An open document: its text with the changes that the editor sends. */
import { Lines } from "../app/index.ts";
import { isObject } from "./connection.ts";
import type { Position, Range } from "./proof.ts";

/** LIMIT: of the text of a document, in code units. Longer ones are held and not proved. */
export const mostText = 4 * 1024 * 1024;

export interface TextDocument {
  readonly uri: string;
  /** Absolute, with slashes. */
  readonly file: string;
  readonly version: number;
  readonly text: string;
}

/** Applies changes in their order. Returns undefined if one is not a change. */
export function changed(text: string, changes: unknown): string | undefined {
  if (!Array.isArray(changes)) return undefined;
  let result = text;
  const list: readonly unknown[] = changes;
  for (const change of list) {
    if (!isObject(change) || typeof change.text !== "string") return undefined;
    if (change.range === undefined) {
      result = change.text;
      continue;
    }
    const range = rangeOf(change.range);
    if (range === undefined) return undefined;
    const lines = new Lines(result);
    const [start, end] = [offsetIn(lines, range.start), offsetIn(lines, range.end)];
    result = result.slice(0, Math.min(start, end)) + change.text + result.slice(Math.max(start, end));
  }
  return result;
}

export function rangeOf(value: unknown): Range | undefined {
  if (!isObject(value)) return undefined;
  const [start, end] = [positionOf(value.start), positionOf(value.end)];
  return start && end && { start, end };
}

export function positionOf(value: unknown): Position | undefined {
  if (!isObject(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A character beyond its line means the end of the line, and a line beyond the text its end. */
function offsetIn(lines: Lines, { line, character }: Position): number {
  if (line >= lines.count) return lines.text.length;
  const { start, end } = lines.lineSpan(line + 1);
  return Math.min(start + character, end);
}

/** Compares two positions. */
export function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** True if the ranges share a position. */
export function overlaps(a: Range, b: Range): boolean {
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start);
}
