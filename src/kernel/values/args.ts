/** Arguments of reasons: as values, as text, and of a size that fits an entry. Part of what must be trusted. */
import { isList, isRecord, list, record, type Value } from "../../ir/index.ts";
import type { Arg, Args } from "../reasons.ts";
import { textOf } from "./canonical.ts";

/** LIMIT: code units that are kept of a word of somebody whose input could not be read. */
const longest = 2_000;

/** Without halves of surrogate pairs, which no entry takes, and not longer than anyone would read. */
export function keptArgs(args: Args): Args {
  const kept: Record<string, Arg> = {};
  for (const [name, arg] of Object.entries(args)) kept[name] = keptArg(arg);
  return kept;
}

function keptArg(arg: Arg): Arg {
  if (typeof arg === "string") return arg.slice(0, longest).replace(/\p{Cs}/gu, "\ufffd");
  if (isArgs(arg)) return keptArgs(arg);
  return isArgList(arg) ? arg.map(keptArg) : arg;
}

export function valueOfArg(arg: Arg): Value {
  if (typeof arg === "number") return BigInt(arg);
  if (isArgList(arg)) return list(arg.map(valueOfArg));
  if (isArgs(arg)) return record(Object.entries(arg).map(([name, one]) => [name, valueOfArg(one)]));
  return arg;
}

/** The arguments in an entry; undefined for what can be none. */
export function argsIn(value: Value): Args | undefined {
  const arg = argOf(value);
  return arg !== undefined && isArgs(arg) ? arg : undefined;
}

function argOf(value: Value): Arg | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (isList(value)) {
    const items = value.map(argOf);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isRecord(value)) return undefined;
  const args: Record<string, Arg> = Object.create(null);
  for (const [name, field] of Object.entries(value.fields)) {
    const arg = argOf(field);
    if (arg === undefined) return undefined;
    args[name] = arg;
  }
  return args;
}

/** The canonical text of arguments, as that of the same value. */
export function argText(arg: Arg): string {
  if (typeof arg === "string") return textOf(arg);
  if (isArgList(arg)) return `[${arg.map(argText).join(",")}]`;
  if (!isArgs(arg)) return String(arg);
  const names = Object.keys(arg).sort();
  return `{${names.map((name) => `${textOf(name)}:${argText(arg[name] ?? null)}`).join(",")}}`;
}

function isArgList(arg: Arg): arg is readonly Arg[] {
  return Array.isArray(arg);
}

function isArgs(arg: Arg): arg is Args {
  return typeof arg === "object" && arg !== null && !Array.isArray(arg);
}
