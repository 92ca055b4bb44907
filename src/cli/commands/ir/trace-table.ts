/** The calls of a run as a table. */

import { argumentsText, callText, count, valueText } from "../../../app/index.ts";
import { type Outcome, printName, type TraceEntry } from "../../../ir/index.ts";
import type { Paint } from "../../text/paint.ts";
import { type Cell, type Column, table } from "../../text/table.ts";

const columns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "call", least: 8 },
  { title: "tool", least: 12 },
  { title: "arguments", least: 20 },
  { title: "outcome", least: 20 },
];

/** LIMIT: of a longer trace, people see the beginning and the end; `--json` has all of it. */
const mostRows = 100;

/** Lines, without their ends. */
export function traceTable(trace: readonly TraceEntry[], width: number, paint: Paint): string[] {
  const half = mostRows / 2;
  const left = trace.length - mostRows;
  const shown = left > 0 ? [...trace.slice(0, half), ...trace.slice(-half)] : trace;
  const indent = "  ";
  const rows = table(
    columns,
    shown.map((entry) => rowOf(entry, width, paint)),
    { width: width - indent.length, cutSign: paint.signs.cut, head: paint.dim },
  );
  // After the titles and the first half.
  if (left > 0)
    rows.splice(1 + half, 0, [paint.dim(`${count(left, "call")} not shown; --json has them all`)]);
  return rows.flat().map((line) => indent + line);
}

function rowOf(
  { position, id, indices, tool, args, outcome }: TraceEntry,
  width: number,
  paint: Paint,
): Cell[] {
  return [
    { text: String(position), paint: paint.dim },
    { text: callText(id, indices) },
    { text: printName(tool), paint: paint.cyan },
    { text: argumentsText(args, 4 * width) },
    outcomeCell(outcome, width, paint),
  ];
}

function outcomeCell(outcome: Outcome, width: number, paint: Paint): Cell {
  if (outcome.kind === "failed") return { text: `failed: ${outcome.reason}`, paint: paint.red };
  if (outcome.kind === "broken") return { text: `broken off: it ${outcome.reason}`, paint: paint.red };
  if (outcome.result === undefined) return { text: "returned", paint: paint.dim };
  return { text: `${paint.signs.arrow} ${valueText(outcome.result, 4 * width)}` };
}
