/**
 * Problems with their place in the source, for people:
 *
 *   error FC1203: there is no tool `bank.wihdraw`
 *     --> pay.eir:12:8
 *      |
 *   12 |   call bank.wihdraw(amount: owed)
 *      |        ^^^^^^^^^^^^^
 *      help: did you mean `bank.withdraw`?
 *
 * A pure function from data to text. A problem has one place and may have further ones, each with a few words.
 */
import { Lines } from "../app/index.ts";
import { visibleText } from "../explain/index.ts";
import type { Diagnostic } from "../ir/index.ts";
import { excerpt, type Mark, type Row } from "./text/excerpt.ts";
import { type Look, type Paint, paintFor } from "./text/paint.ts";
import { columnsOf } from "./text/width.ts";

export interface Problems {
  readonly source: string;
  /** As the user named it. */
  readonly file: string;
  readonly problems: readonly Diagnostic<string, never>[];
}

export interface FrameOptions extends Look {
  readonly columns: number;
}

/** LIMIT: nobody reads more at once. */
const mostShown = 20;

export function renderProblems({ source, file, problems }: Problems, options: FrameOptions): string {
  const paint = paintFor(options);
  const lines = new Lines(source);
  const shown = problems.slice(0, mostShown).map((problem) => {
    const head = headOf(problem, paint);
    return [head, ...frameOf(problem, file, lines, options.columns, paint)].join("\n");
  });
  if (problems.length > mostShown) shown.push(paint.dim(`and ${problems.length - mostShown} more`));
  return `${shown.join("\n\n")}\n`;
}

/** The place of a problem alone, without what it says. */
export function renderFrame(source: string, file: string, problem: Framed, options: FrameOptions): string[] {
  return frameOf(problem, file, new Lines(source), options.columns, paintFor(options));
}

export type Framed = Pick<Diagnostic<string, never>, "span" | "mark" | "labels" | "help">;

function headOf({ code, message, title = "error" }: Diagnostic<string, never>, paint: Paint): string {
  return `${paint.red(paint.bold(`${title} ${code}`))}: ${paint.bold(visibleText(message))}`;
}

function frameOf(problem: Framed, file: string, lines: Lines, columns: number, paint: Paint): string[] {
  const help = problem.help === undefined ? [] : helpOf(problem.help, paint);
  const { span } = problem;
  if (span === undefined) return help.map((line) => `  ${line}`);
  const marks: Mark[] = [
    { ...span, main: true, text: visibleText(problem.mark ?? "") },
    ...(problem.labels ?? []).map((label) => ({ ...label.span, main: false, text: visibleText(label.text) })),
  ];
  const last = lines.positionOf(Math.max(...marks.map(({ end }) => end))).line;
  const gutter = String(last).length;
  const blank = " ".repeat(gutter);
  const { line, column } = lines.positionOf(span.start);
  const rows = excerpt(lines, marks, columns - gutter - 3, paint.signs.cut);
  return [
    `${blank}${paint.cyan("-->")} ${visibleText(file)}:${line}:${column}`,
    `${blank} ${paint.cyan(paint.signs.bar)}`,
    ...rows.flatMap((row) => rowLines(row, gutter, columns, paint)),
    ...help.map((text) => `${blank} ${text}`),
  ];
}

function rowLines(row: Row, gutter: number, columns: number, paint: Paint): string[] {
  const bar = paint.cyan(paint.signs.bar);
  switch (row.kind) {
    case "gap":
      return [paint.cyan(paint.signs.cut)];
    case "line":
      return [`${paint.cyan(String(row.line).padStart(gutter))} ${bar} ${row.text}`.trimEnd()];
    case "mark": {
      const under = (row.main ? "^" : "-").repeat(row.columns);
      const colour = row.main ? paint.red : paint.cyan;
      const start = (indent: number) => `${" ".repeat(gutter)} ${bar} ${" ".repeat(indent)}`;
      if (row.text === "") return [start(row.indent) + colour(under)];
      const room = columns - gutter - 3;
      const width = columnsOf(row.text);
      if (row.indent + row.columns + 1 + width <= room)
        return [start(row.indent) + colour(`${under} ${row.text}`)];
      // Beside the mark there is no room for it, so it stands below.
      const indent = Math.max(0, Math.min(row.indent, room - width));
      return [start(row.indent) + colour(under), start(indent) + colour(row.text)];
    }
  }
}

/** Help may have several lines, for an example. */
function helpOf(help: string, paint: Paint): string[] {
  const [first = "", ...others] = help.split("\n").map(visibleText);
  return [`${paint.cyan("help")}: ${first}`, ...others.map((line) => `      ${line}`)];
}
