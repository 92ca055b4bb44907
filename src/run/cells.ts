/** Encoding of fluents in the kernel's state. An absent key stands for the fluent's initial value. */
import {
  decimalText,
  isJsonArray,
  isJsonObject,
  isList,
  isNum,
  isOption,
  isRecord,
  type Json,
  JsonNumber,
  printValue,
  type Value,
} from "../ir/index.ts";
import { type Reason, sentenceOf } from "../kernel/index.ts";

/** `home.doorLocked[front]`. All keys of a fluent are of one type, so two of them never have one name. */
export function cellKey(fluent: string, key: Value): string {
  return `${fluent}[${typeof key === "string" ? key : printValue(key)}]`;
}

/** Returns the key that marks a cell, or all cells of a fluent, as unknown. */
export function unknownKey(cell: string): string {
  return `unknown ${cell}`;
}

/** The cell of which such a key speaks. */
export function markedBy(key: string): string {
  return key.slice(unknownKey("").length);
}

/** Returns true for keys reserved for runs and policies; nobody else may set them. */
export function isKeptKey(key: string): boolean {
  return /^(?:unknown |limit |ended run |run:)/.test(key);
}

/** Returns true if a state with these keys has an unknown cell. */
export function hasMarks(keys: Iterable<string>): boolean {
  for (const key of keys) if (key.startsWith(unknownKey(""))) return true;
  return false;
}

/** LIMIT: values that are kept of a cell that may hold one of them; beyond, it may hold anything. */
const mostValues = 8;

/** Why a cell is not known: a reason with its arguments. Earlier versions kept a sentence. */
export type Mark = { readonly reason: MarkReason; readonly args: { readonly tool: string } };

export type MarkReason =
  | "call failed"
  | "call in doubt"
  | "marked by several"
  | "call tried again"
  | "call maybe repeated"
  | "call not taken back"
  | "undo not clear"
  | "set from the unknown";

export function markOf(reason: MarkReason, tool: string): Mark {
  return { reason: reason satisfies Reason, args: { tool } };
}

/** Why a cell is not known, as it is kept. */
function whyOf(mark: Json): Json {
  return isJsonObject(mark) && mark.why !== undefined ? mark.why : mark;
}

/** Why a cell is not known, in words, by what is kept of it. */
export function markWords(mark: Json): string {
  const kept = whyOf(mark);
  if (typeof kept === "string") return kept;
  const { reason, args } = isJsonObject(kept) ? kept : {};
  const tool = args !== undefined && isJsonObject(args) ? args.tool : undefined;
  if (typeof reason !== "string" || typeof tool !== "string") return "a call failed";
  return sentenceOf(reason, { tool });
}

/**
 * Returns the mark of an unknown cell: the reason, and the values that may have been set. `before` is the existing
 * mark; if that does not bound the values, the new mark does not either.
 */
export function unknownMark(why: Mark, value: Json, before: Json | undefined): Json {
  const known = before === undefined ? [] : mayHold(before);
  if (known === undefined || known.length >= mostValues) return why;
  return { why, may: [...known, value] };
}

/** A mark of all that two marks tell. */
export function mergedMarks(a: Json, b: Json): Json {
  const [one, other] = [mayHold(a), mayHold(b)];
  const why = whyOf(b);
  if (one === undefined || other === undefined || one.length + other.length > mostValues) return why;
  return { why, may: [...one, ...other] };
}

function mayHold(mark: Json): readonly Json[] | undefined {
  const may = isJsonObject(mark) ? mark.may : undefined;
  return may !== undefined && isJsonArray(may) ? may : undefined;
}

/** Everything that a key of the state may hold, undefined for nothing; or that it may be anything. */
export function possibleAt(
  key: string,
  read: (key: string) => Json | undefined,
): readonly (Json | undefined)[] | "anything" {
  const open = key.endsWith("]") ? key.indexOf("[") : -1;
  if (open > 0 && read(unknownKey(key.slice(0, open))) !== undefined) return "anything";
  const mark = read(unknownKey(key));
  const may = mark === undefined ? [] : mayHold(mark);
  return may === undefined ? "anything" : [read(key), ...may];
}

/** As JSON, if there is JSON for it: a third has none. */
export function toJson(value: Value): Json | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isNum(value)) {
    const text = decimalText(value);
    return text === undefined ? undefined : new JsonNumber(value, text);
  }
  if (isList(value)) {
    const items = value.map(toJson);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (isOption(value)) return value.kind === "none" ? null : toJson(value.value);
  if (!isRecord(value)) return undefined;
  const object: Record<string, Json> = Object.create(null);
  for (const [name, part] of Object.entries(value.fields)) {
    const json = toJson(part);
    if (json === undefined) return undefined;
    object[name] = json;
  }
  return object;
}
