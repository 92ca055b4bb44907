/** `trace show`: chosen entries of a trace, as a table or as data. */

import {
  type ChosenRows,
  chooseRows,
  entriesText,
  exportLine,
  type KernelChoice,
  type RowChoice,
  rowFilter,
  type TraceRow,
  withTrace,
} from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { Paint } from "../../text/paint.ts";
import { type Cell, type Column, table } from "../../text/table.ts";
import { timeText } from "../kernel/render.ts";

export interface ShowOptions extends KernelChoice, RowChoice {
  readonly limit?: number;
}

/** LIMIT: a table shows the newest ones; `--limit` and `--json` give more. */
const mostRows = 50;

export async function showTrace(host: Host, from: string, options: ShowOptions): Promise<Ended> {
  const filter = rowFilter(options);
  if (!filter.ok) return filter;
  const { stdout } = host;
  const { json, kernel, limit = json ? undefined : mostRows } = options;
  const write = ({ stored }: TraceRow) => stdout.write(`${exportLine(stored)}\n`);
  const found = await withTrace(host, from, kernel, (source) =>
    chooseRows(source, kernel, filter.value, limit ?? 0, limit === undefined ? write : undefined),
  );
  if (!found.ok) return found;
  if (json) for (const row of found.value.rows) await write(row);
  else await stdout.write(tableText(found.value, stdout));
  return fine;
}

const columns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "time (UTC)" },
  { title: "kind" },
  { title: "action", least: 10 },
  { title: "verdict" },
  { title: "version", align: "right" },
  { title: "cost, or reason", least: 16 },
];

function tableText({ rows, matching, all }: ChosenRows, output: Output): string {
  const paint = paintOf(output);
  const options = { width: columnsOf(output), cutSign: paint.signs.cut, head: paint.dim };
  const cells = rows.map((row) => cellsOf(row, paint));
  const lines = rows.length === 0 ? [] : [...table(columns, cells, options).flat(), ""];
  const shown =
    rows.length < matching
      ? `the last ${rows.length} of ${entriesText(matching)}; --limit gives more`
      : entriesText(matching);
  return `${[...lines, matching === all ? shown : `${shown}, of ${all} in all`].join("\n")}\n`;
}

/** The table escapes every cell. */
function cellsOf({ seq, time, kind, what, verdict, version, why }: TraceRow, paint: Paint): Cell[] {
  return [
    { text: String(seq), paint: paint.dim },
    { text: time === undefined ? "" : timeText(time), paint: paint.dim },
    { text: kind },
    { text: what, paint: paint.cyan },
    { text: verdict, paint: verdict === "refused" ? paint.red : paint.green },
    { text: version },
    { text: why },
  ];
}
