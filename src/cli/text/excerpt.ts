/** The lines of a source that some marks stand on, cut to a width, each with what is underlined below it. */

import type { Lines } from "../../app/index.ts";
import { append } from "../../ir/index.ts";
import { columnsOf, type Glyph, glyphs } from "./width.ts";

/** A place in the source; offsets in code units, `end` exclusive. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** True for the problem's own place, false for a related one. */
  readonly main: boolean;
  readonly text: string;
}

export type Row =
  | { readonly kind: "line"; readonly line: number; readonly text: string }
  | {
      readonly kind: "mark";
      readonly indent: number;
      readonly columns: number;
      readonly main: boolean;
      readonly text: string;
    }
  /** Lines were omitted. */
  | { readonly kind: "gap" };

/** The part of a mark that stands on one line. */
interface Segment extends Mark {
  readonly line: number;
}

/** A piece of a line as it is shown. */
interface Piece {
  readonly text: string;
  /** The start and the width of the marked part. */
  readonly indent: number;
  readonly columns: number;
  readonly isWhole: boolean;
}

export function excerpt(lines: Lines, marks: readonly Mark[], columns: number, cutSign: string): Row[] {
  const byLine = new Map<number, Segment[]>();
  for (const segment of marks.flatMap((mark) => segmentsOf(lines, mark))) {
    const segments = byLine.get(segment.line);
    if (segments === undefined) byLine.set(segment.line, [segment]);
    else segments.push(segment);
  }
  for (const line of contextOf(lines, [...byLine.keys()])) byLine.set(line, []);
  const rows: Row[] = [];
  let before: number | undefined;
  for (const [line, segments] of [...byLine].sort(([a], [b]) => a - b)) {
    if (before !== undefined && line > before + 1) rows.push({ kind: "gap" });
    append(rows, lineRows(lines, line, segments, Math.max(columns, 20), cutSign));
    before = line;
  }
  return rows;
}

/** Marks the first and the last line of a mark over several lines. */
function segmentsOf(lines: Lines, mark: Mark): Segment[] {
  const first = lines.positionOf(mark.start).line;
  let last = lines.positionOf(Math.max(mark.start, mark.end)).line;
  let end = mark.end;
  // A mark that ends with a line end ends on that line.
  while (last > first && lines.lineSpan(last).start >= end) {
    last--;
    end = Math.min(end, lines.lineSpan(last).end);
  }
  if (first === last) return [{ ...mark, end, line: first }];
  const lastLine = lines.lineSpan(last);
  const indent = /^\s*/.exec(lines.text.slice(lastLine.start, Math.min(end, lastLine.start + 1000)))?.[0];
  return [
    { ...mark, end: lines.lineSpan(first).end, text: "", line: first },
    { ...mark, start: lastLine.start + (indent?.length ?? 0), end, line: last },
  ];
}

/** A blank line alone says nothing about where it is, as at the end of a file. */
function contextOf(lines: Lines, marked: readonly number[]): number[] {
  const first = marked.reduce((least, line) => Math.min(least, line));
  if (!lines.isBlank(first)) return [];
  for (let line = first - 1; line >= Math.max(1, first - 3); line--) {
    if (!lines.isBlank(line)) return Array.from({ length: first - line }, (_, i) => line + i);
  }
  return [];
}

function lineRows(
  lines: Lines,
  line: number,
  segments: readonly Segment[],
  columns: number,
  cutSign: string,
): Row[] {
  const { start } = lines.lineSpan(line);
  if (segments.length === 0) {
    const { text } = pieceOf(lines, { start, end: start, line, main: false, text: "" }, columns, cutSign);
    return [{ kind: "line", line, text }];
  }
  const ordered = [...segments].sort((a, b) => a.start - b.start);
  const pieces = ordered.map((segment) => ({ segment, piece: pieceOf(lines, segment, columns, cutSign) }));
  return pieces.flatMap(({ segment: { main, text }, piece }, i): Row[] => {
    const { indent, columns: width } = piece;
    const mark: Row = { kind: "mark", indent, columns: width, main, text };
    // A line that was cut looks different around each mark.
    return i === 0 || !piece.isWhole ? [{ kind: "line", line, text: piece.text }, mark] : [mark];
  });
}

/** The line, or as much of it around the segment as fits. */
function pieceOf(lines: Lines, segment: Segment, columns: number, cutSign: string): Piece {
  const { text } = lines;
  const line = lines.lineSpan(segment.line);
  const start = Math.min(Math.max(segment.start, line.start), line.end);
  const end = Math.min(Math.max(segment.end, start), line.end);
  // LIMIT: a line may be the whole of a big file; no more of it is looked at than could be shown.
  const reach = 4 * columns;
  const from = charStart(text, Math.max(line.start, start - reach));
  const to = charStart(text, Math.min(line.end, start + reach));
  const left = glyphs(text.slice(from, start));
  const right = glyphs(text.slice(start, to));
  // A mark behind the last character still takes a column.
  const needed = widthOf(left) + Math.max(1, widthOf(right));
  const isShort = from === line.start && to === line.end && needed <= columns;
  const shown = isShort
    ? { left, right, prefix: "", suffix: "" }
    : fitting(left, right, {
        columns,
        cutSign,
        wanted: widthOfUnits(right, end - start),
        startsLine: from === line.start,
        endsLine: to === line.end,
      });
  const prefix = shown.prefix + join(shown.left);
  const visibleRight = join(shown.right);
  return {
    text: prefix + visibleRight + shown.suffix,
    indent: columnsOf(prefix),
    columns: Math.max(1, Math.min(widthOfUnits(right, end - start), columnsOf(visibleRight))),
    isWhole: isShort,
  };
}

interface Window {
  readonly columns: number;
  readonly cutSign: string;
  /** Columns of the marked part. */
  readonly wanted: number;
  readonly startsLine: boolean;
  readonly endsLine: boolean;
}

/** As much of the marked part as fits, then as much before it as after it. */
function fitting(left: readonly Glyph[], right: readonly Glyph[], window: Window) {
  const room = window.columns - 2 * window.cutSign.length;
  const marked = Math.min(window.wanted, Math.floor((2 * room) / 3));
  const half = Math.floor((room - marked) / 2);
  const spareRight = Math.max(0, half - (widthOf(right) - marked));
  const keptLeft = takeEnd(left, half + spareRight);
  const keptRight = takeStart(right, room - widthOf(keptLeft));
  const isCutLeft = !window.startsLine || keptLeft.length < left.length;
  const isCutRight = !window.endsLine || keptRight.length < right.length;
  return {
    left: keptLeft,
    right: keptRight,
    prefix: isCutLeft ? window.cutSign : "",
    suffix: isCutRight ? window.cutSign : "",
  };
}

function takeStart(items: readonly Glyph[], columns: number): Glyph[] {
  let room = columns;
  const end = items.findIndex((item) => {
    room -= item.columns;
    return room < 0;
  });
  return items.slice(0, end === -1 ? items.length : end);
}

function takeEnd(items: readonly Glyph[], columns: number): Glyph[] {
  return takeStart([...items].reverse(), columns).reverse();
}

function widthOf(items: readonly Glyph[]): number {
  return items.reduce((sum, item) => sum + item.columns, 0);
}

/** Columns of the characters that the first so many code units belong to. */
function widthOfUnits(items: readonly Glyph[], units: number): number {
  let left = units;
  let columns = 0;
  for (const item of items) {
    if (left <= 0) break;
    left -= item.units;
    columns += item.columns;
  }
  return columns;
}

function join(items: readonly Glyph[]): string {
  return items.map(({ text }) => text).join("");
}

/** The offset itself, or the one before it if it stands inside a surrogate pair. */
function charStart(text: string, offset: number): number {
  const code = text.codePointAt(offset - 1);
  return code !== undefined && code > 0xffff ? offset - 1 : offset;
}
