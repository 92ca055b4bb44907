/** Entries of a trace as rows of a table, and the filter that chooses them. */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  ok,
  type Result,
  readJson,
} from "../../ir/index.ts";
import { type StoredEntry, wordsOfCheck } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Address } from "./open.ts";
import { type TraceSource, Unreadable } from "./trace-source.ts";

export interface TraceRow {
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

export interface RowChoice {
  readonly kind?: string;
  readonly verdict?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface ChosenRows {
  /** The last of them, at most the limit. */
  readonly rows: readonly TraceRow[];
  readonly matching: number;
  readonly all: number;
}

/** Reads all entries and returns the last ones that the filter chooses. With a listener it keeps none of them. */
export async function chooseRows(
  source: TraceSource,
  kernel: string,
  filter: (row: TraceRow) => boolean,
  limit: number,
  hear?: (row: TraceRow) => Promise<void>,
): Promise<Result<ChosenRows, Failure>> {
  let found: TraceRow[] = [];
  let matching = 0;
  const all = await readTrace(source, kernel, async (entries) => {
    for await (const stored of entries) {
      const row = rowOf(stored);
      if (!filter(row)) continue;
      matching++;
      if (hear !== undefined) await hear(row);
      else found.push(row);
      // Trimming now and then keeps the newest in few moves.
      if (found.length > 2 * limit + 64) found = last(found, limit);
    }
    return undefined;
  });
  return all.ok ? ok({ rows: last(found, limit), matching, all: all.value }) : all;
}

/** Lets a reader read all entries and returns their number, or the failure of a trace that is broken or empty. */
export async function readTrace(
  { entries, address }: TraceSource,
  kernel: string,
  read: (entries: AsyncIterable<StoredEntry>) => Promise<Failure | undefined>,
): Promise<Result<number, Failure>> {
  let count = 0;
  const counted = async function* () {
    for await (const stored of entries()) {
      count++;
      yield stored;
    }
  };
  try {
    const failure = await read(counted());
    if (failure !== undefined) return failure;
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return plainFailure("FC9007", thrown.message, `see \`foreclaim trace verify ${address.shown}\``);
  }
  return count === 0 ? noKernel(address, kernel) : ok(count);
}

function noKernel({ shown }: Address, kernel: string): Failure {
  const help = `make one: \`foreclaim kernel init ${shown} --budget usd=10\``;
  return plainFailure("FC9008", `there is no kernel \`${kernel}\` in \`${shown}\``, help);
}

function last<T>(items: readonly T[], limit: number): T[] {
  return items.slice(Math.max(0, items.length - limit));
}

function rowOf(stored: StoredEntry): TraceRow {
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
  // The start of a receipt tells people which one it is.
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

// ── the filter ───────────────────────────────────────────────────────────────────────────────────────────

export function rowFilter({
  kind,
  verdict,
  action,
  from,
  to,
}: RowChoice): Result<(row: TraceRow) => boolean, Failure> {
  const [first, last] = [placeOf(from), placeOf(to)];
  for (const [option, text, place] of [
    ["--from", from, first],
    ["--to", to, last],
  ] as const) {
    if (text !== undefined && place === undefined) {
      const help = "give an entry's number, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z";
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

function valueAt(row: TraceRow, { kind }: Place): number {
  return kind === "seq" ? row.seq : (row.time ?? Number.NaN);
}
