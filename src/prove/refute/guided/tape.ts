/** Everything that one run meets, as data: inputs, results and failures by call, and cells at the start. */
import {
  type Cell,
  type Checked,
  isList,
  isRecord,
  jsonObject,
  list,
  type Outcome,
  type RecordValue,
  record,
  recordOf,
  type Type,
  type Value,
} from "../../../ir/index.ts";
import type { Chance } from "../random/chance.ts";
import { type Place, placesIn, withValue } from "./places.ts";
import type { Change } from "./wishes.ts";

export interface Tape {
  readonly inputs: RecordValue;
  readonly initial: readonly Cell[];
  /** By the name of the call. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The call of each outcome, by the same name. */
  readonly calls: ReadonlyMap<string, Made>;
}

/** A call that was made. */
export interface Made {
  readonly id: string;
  readonly indices: readonly number[];
  readonly result: Type | undefined;
}

/** LIMIT: of calls whose results have places. */
const mostCalls = 60;

/** Lists the places of a tape. */
export function placesOf(checked: Checked, { inputs, outcomes, calls }: Tape): readonly Place[] {
  const found = [...placesIn("", recordOf(checked.document.program.inputs), inputs)];
  for (const [name, outcome] of [...outcomes].slice(0, mostCalls)) {
    const type = calls.get(name)?.result;
    if (outcome.kind === "returned" && outcome.result !== undefined && type !== undefined)
      found.push(...placesIn(name, type, outcome.result));
  }
  return found;
}

/** The value that a place is part of. */
export function rootOf({ inputs, outcomes }: Tape, root: string): Value | undefined {
  if (root === "") return inputs;
  const outcome = outcomes.get(root);
  return outcome?.kind === "returned" ? outcome.result : undefined;
}

export function withRoot(tape: Tape, root: string, value: Value): Tape {
  if (root === "") return isRecord(value) ? { ...tape, inputs: value } : tape;
  const outcomes = new Map(tape.outcomes);
  outcomes.set(root, { kind: "returned", result: value });
  return { ...tape, outcomes };
}

/** Values to put at the place, the likeliest first. */
export type Candidates = (change: Change) => readonly (Value | undefined)[];

/** Returns the tape with one change; undefined if the change is none or does not fit. */
export function changed(tape: Tape, change: Change, candidates: Candidates): Tape | undefined {
  const { place } = change;
  const whole = rootOf(tape, place.root);
  if (whole === undefined) return undefined;
  for (const value of candidates(change)) {
    const made = withValue(whole, place, value);
    if (made !== undefined) return withRoot(tape, place.root, made);
  }
  return undefined;
}

/** Names of what tells elements apart, the likeliest first. */
const identifying = [
  "id",
  "key",
  "ts",
  "number",
  "sku",
  "code",
  "ref",
  "slug",
  "email",
  "path",
  "url",
  "name",
  "title",
];

/** The field in which elements like this one are to differ. */
function tellingField(value: Value, chance: Chance): string | undefined {
  if (!isRecord(value)) return undefined;
  const names = Object.keys(value.fields).filter((name) => canBeFresh(value.fields[name]));
  const telling = identifying.find((name) => names.includes(name));
  return telling !== undefined && chance.odds(60) ? telling : chance.pick(names);
}

/** An element that is like another one, and differs in one field. */
function cloned(value: Value, type: Type, name: string | undefined, count: number, chance: Chance): Value {
  if (!isRecord(value)) return fresh(value, type, `${count}`, chance);
  const held = name === undefined ? undefined : value.fields[name];
  if (name === undefined || held === undefined) return value;
  const made = fresh(held, typeIn(type, name), `${count}`, chance);
  const entries = Object.entries(value.fields).map(
    ([field, of]) => [field, field === name ? made : of] as const,
  );
  return value.ordered ? jsonObject(entries) : record(entries);
}

function canBeFresh(value: Value | undefined): boolean {
  return typeof value === "bigint" || (typeof value === "string" && !/^\d{4}-\d\d-\d\d|^\s*[[{]/.test(value));
}

function typeIn(type: Type, field: string): Type {
  if (type.kind !== "record") return { kind: "json" };
  return type.fields.find(({ name }) => name === field)?.type ?? { kind: "json" };
}

function fresh(value: Value, type: Type, mark: string, chance: Chance): Value {
  if (typeof value === "string" && (type.kind === "string" || type.kind === "json"))
    return marked(value, mark, chance);
  return typeof value === "bigint" ? value + BigInt(mark) : value;
}

/** The text with a number in it, in a place where it keeps its ends now and then. */
function marked(text: string, mark: string, chance: Chance): string {
  const at = text.lastIndexOf("@");
  if (at > 0) return `${text.slice(0, at)}${mark}${text.slice(at)}`;
  const dot = text.lastIndexOf(".");
  if (dot > 0 && text.length - dot <= 5) return `${text.slice(0, dot)}${mark}${text.slice(dot)}`;
  return chance.odds(80) ? `${text}${mark}` : `${mark}${text}`;
}

/** A list or text with another length, by repetition of its elements or code units. */
export function resized(
  value: Value,
  type: Type,
  length: number,
  isFresh: boolean,
  chance: Chance,
  make: () => Value | undefined,
): Value | undefined {
  if (typeof value === "string")
    return value.length >= length ? value.slice(0, length) : value.padEnd(length, "x");
  if (!isList(value)) return undefined;
  if (value.length >= length) return list(value.slice(0, length));
  const element: Type = type.kind === "list" ? type.element : { kind: "json" };
  const items = [...value];
  if (items.length === 0) {
    const first = make();
    if (first === undefined) return undefined;
    items.push(first);
  }
  const known = items.length;
  const model = items[chance.below(known)];
  const isSteady = chance.odds(60);
  const name = isFresh && model !== undefined ? tellingField(model, chance) : undefined;
  for (let i = known; i < length; i++) {
    const like = isSteady ? model : items[chance.below(known)];
    if (like !== undefined) items.push(isFresh ? cloned(like, element, name, i, chance) : like);
  }
  return list(items);
}
