/** `trace show`: entries of a trace, those that are asked for, as a table or as data. */

import {
  entriesText,
  exportLine,
  type Failure,
  type KernelChoice,
  plainFailure,
  Unreadable,
  withTrace,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  ok,
  type Result,
  readJson,
} from "../../../ir/index.ts";
import { type StoredEntry, wordsOfCheck } from "../../../kernel/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { columnsOf, lookOf } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { type Paint, paintFor } from "../../text/paint.ts";
import { type Cell, type Column, table } from "../../text/table.ts";
import { answered } from "../kernel/render.ts";
import { timeText } from "../kernel/time.ts";

export interface ShowOptions extends KernelChoice {
  readonly kind?: string;
  readonly verdict?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

/** LIMIT: people see the newest ones; `--limit` and `--json` give more. */
const mostRows = 50;

export async function showTrace(host: Host, from: string, options: ShowOptions): Promise<ExitCode> {
  const filter = filterOf(options);
  if (!filter.ok) return answered(host, filter, options.json);
  const { stdout } = host;
  const done = await withTrace(host, from, options.kernel, async (source) => {
    const limit = options.limit ?? (options.json ? Number.POSITIVE_INFINITY : mostRows);
    let found: Row[] = [];
    let matching = 0;
    let all = 0;
    try {
      for await (const stored of source.entries()) {
        all++;
        const row = rowOf(stored);
        if (!filter.value(row)) continue;
        matching++;
        if (options.json && limit === Number.POSITIVE_INFINITY) await stdout.write(`${exportLine(stored)}\n`);
        else found.push(row);
        // Only the newest are kept, in few moves.
        if (found.length > 2 * limit + 64) found = last(found, limit);
      }
      if (options.json)
        for (const { stored } of last(found, limit)) await stdout.write(`${exportLine(stored)}\n`);
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      return plainFailure("FC9007", thrown.message, `see \`foreclaim trace verify ${source.address.shown}\``);
    }
    if (all === 0) {
      const help = `make one: \`foreclaim kernel init ${source.address.shown} --budget usd=10\``;
      return plainFailure(
        "FC9008",
        `there is no kernel \`${options.kernel}\` in \`${source.address.shown}\``,
        help,
      );
    }
    if (!options.json) await stdout.write(tableText(last(found, limit), matching, all, stdout));
    return ok<ExitCode>(fine);
  });
  return answered(host, done, options.json);
}

function last<T>(items: readonly T[], limit: number): T[] {
  return items.slice(Math.max(0, items.length - limit));
}

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────

interface Row {
  readonly stored: StoredEntry;
  readonly seq: number;
  readonly time: number | undefined;
  readonly kind: string;
  /** The id of the action, or the receipt that it is about. */
  readonly what: string;
  readonly verdict: string;
  readonly version: string;
  readonly why: string;
}

function rowOf(stored: StoredEntry): Row {
  const read = readJson(new TextDecoder().decode(stored.bytes));
  const json = read.ok && isJsonObject(read.value.value) ? read.value.value : undefined;
  const { kind, time, verdict, version, command, checks, cost } = json ?? {};
  const body = command !== undefined && isJsonObject(command) ? command : {};
  return {
    stored,
    seq: stored.seq,
    time: JsonNumber.is(time) ? Number(time.text) : undefined,
    kind: textIn(kind, "(unreadable)"),
    what: whatOf(body),
    verdict: textIn(verdict, ""),
    version: version !== undefined && isJsonObject(version) ? numberIn(version.after) : "",
    why: verdict === "refused" ? reasonsIn(checks) : costText(cost),
  };
}

function whatOf({ action, receipt, from, key, probe, reason }: Readonly<Record<string, Json>>): string {
  if (action !== undefined && isJsonObject(action)) return textIn(action.id, "");
  const text = textIn(receipt ?? from ?? key ?? probe ?? reason, "");
  // Of a receipt, people need to see only which one it is.
  return text.replace(/^([rs]\d+-[0-9a-f]{8})[0-9a-f]{56}$/, "$1...");
}

function reasonsIn(checks: Json | undefined): string {
  const violated = checks !== undefined && isJsonArray(checks) ? checks.filter(isJsonObject) : [];
  return violated
    .filter(({ result, monitoring }) => result === "violated" && monitoring === undefined)
    .map((check) => wordsOfCheck(check))
    .join("; ");
}

function costText(cost: Json | undefined): string {
  const amounts = cost !== undefined && isJsonObject(cost) ? Object.entries(cost) : [];
  return amounts
    .flatMap(([name, amount]) => (amount === "0" ? [] : [`${textIn(amount, "")} ${name}`]))
    .join(", ");
}

function textIn(json: Json | undefined, other: string): string {
  return typeof json === "string" ? json : other;
}

function numberIn(json: Json | undefined): string {
  return JsonNumber.is(json) ? json.text : "";
}

// ── which ────────────────────────────────────────────────────────────────────────────────────────────────

type Filter = (row: Row) => boolean;

function filterOf({ kind, verdict, action, from, to }: ShowOptions): Result<Filter, Failure> {
  const [first, last] = [placeOf(from), placeOf(to)];
  for (const [option, text, place] of [
    ["--from", from, first],
    ["--to", to, last],
  ] as const) {
    if (text !== undefined && place === undefined) {
      const help = "an entry's number, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z";
      return plainFailure("FC9001", `\`${option} ${text}\` is neither a number nor a time`, help);
    }
  }
  return ok(
    (row) =>
      (kind === undefined || row.kind === kind) &&
      (verdict === undefined || row.verdict === verdict) &&
      (action === undefined || row.what === action) &&
      (first === undefined || valueAt(row, first) >= first.value) &&
      (last === undefined || valueAt(row, last) <= last.value),
  );
}

interface Place {
  readonly kind: "seq" | "time";
  readonly value: number;
}

function placeOf(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return { kind: "seq", value: Number(text) };
  const value = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(value) ? undefined : { kind: "time", value };
}

function valueAt(row: Row, { kind }: Place): number {
  return kind === "seq" ? row.seq : (row.time ?? Number.NaN);
}

// ── as a table ───────────────────────────────────────────────────────────────────────────────────────────

const columns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "time (UTC)" },
  { title: "kind" },
  { title: "action", least: 10 },
  { title: "verdict" },
  { title: "version", align: "right" },
  { title: "cost, or why not", least: 16 },
];

function tableText(rows: readonly Row[], matching: number, all: number, output: Output): string {
  const paint = paintFor(lookOf(output));
  const options = { width: columnsOf(output), cutSign: paint.signs.cut, head: paint.dim };
  const lines =
    rows.length === 0
      ? []
      : table(
          columns,
          rows.map((row) => cellsOf(row, paint)),
          options,
        ).flat();
  const shown =
    rows.length < matching
      ? `the last ${rows.length} of ${entriesText(matching)}; --limit gives more`
      : entriesText(matching);
  const end = matching === all ? shown : `${shown}, of ${all} in all`;
  return `${[...lines, ...(lines.length === 0 ? [] : [""]), end].join("\n")}\n`;
}

function cellsOf({ seq, time, kind, what, verdict, version, why }: Row, paint: Paint): Cell[] {
  const verdictPaint = verdict === "refused" ? paint.red : paint.green;
  return [
    { text: String(seq), paint: paint.dim },
    { text: time === undefined ? "" : timeText(time), paint: paint.dim },
    { text: visibleText(kind) },
    { text: visibleText(what), paint: paint.cyan },
    { text: visibleText(verdict), paint: verdictPaint },
    { text: version },
    { text: visibleText(why) },
  ];
}
