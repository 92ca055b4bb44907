/** Tables that fit a width: columns as wide as what is in them; long cells go on below, and very long ones are cut. */
import { visibleText } from "../../explain/index.ts";
import { columnsOf, cut, pad, wrap } from "./width.ts";

export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** May be made as narrow as this; without it the column keeps its width. */
  readonly least?: number;
}

export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface TableOptions {
  readonly width: number;
  readonly cutSign: string;
  /** For the titles. */
  readonly head: (text: string) => string;
}

const gap = "  ";
const mostLines = 3;

/** Returns one entry per row, the titles first; a row may have several lines. Every cell passes the escaper. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions,
): string[][] {
  const titles = columns.map(({ title }) => ({ text: title, paint: options.head }));
  const shown = rows.map((row) => row.map((cell) => ({ ...cell, text: visibleText(cell.text) })));
  const all: readonly (readonly Cell[])[] = [titles, ...shown];
  const natural = columns.map((_, i) =>
    all.reduce((most, row) => Math.max(most, columnsOf(row[i]?.text ?? "")), 0),
  );
  const widths = widthsFor(natural, columns, options.width - gap.length * (columns.length - 1));
  return all.map((row) => {
    const cells = columns.map((_, i) => linesOf(row[i]?.text ?? "", widths[i] ?? 0, options.cutSign));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      columns
        .map(({ align }, i) => {
          const text = cells[i]?.[line] ?? "";
          const blanks = pad("", (widths[i] ?? 0) - columnsOf(text));
          // Only the text is painted, so that blanks at the end of a line can be omitted.
          const painted = text === "" ? "" : (row[i]?.paint?.(text) ?? text);
          return align === "right" ? blanks + painted : painted + blanks;
        })
        .join(gap)
        .trimEnd(),
    );
  });
}

function linesOf(text: string, width: number, cutSign: string): string[] {
  const lines = wrap(text, width);
  if (lines.length <= mostLines) return lines;
  const rest = lines.slice(mostLines - 1).join(" ");
  return [...lines.slice(0, mostLines - 1), cut(rest, width, cutSign)];
}

/**
 * Columns that keep their width take it first. Of the others, from the narrowest to the widest, each is as wide as
 * what is in it if that leaves enough for those that follow; otherwise they share what is left.
 */
function widthsFor(natural: readonly number[], columns: readonly Column[], room: number): number[] {
  const widths = [...natural];
  const leastOf = (i: number) => Math.min(columns[i]?.least ?? 0, natural[i] ?? 0);
  const flexible = [...columns.keys()]
    .filter((i) => columns[i]?.least !== undefined)
    .sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  let left = room - sum(natural.filter((_, i) => !flexible.includes(i)));
  flexible.forEach((i, position) => {
    const others = flexible.slice(position + 1);
    const most = left - sum(others.map(leastOf));
    const share = Math.floor(left / (others.length + 1));
    const wanted = natural[i] ?? 0;
    widths[i] = wanted <= most ? wanted : Math.max(leastOf(i), Math.min(share, most));
    left -= widths[i];
  });
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
