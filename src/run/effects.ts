/** The effects of a call on the kernel's state, and the marks of cells whose value is not known. */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  readJson,
  Unknown,
  type Write,
} from "../ir/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { cellKey, hasMarks, type Mark, markOf, toJson, unknownKey, unknownMark } from "./cells.ts";
import type { Marking } from "./settle-failed.ts";

export type Effect =
  | { readonly key: string; readonly op: "set"; readonly value: Json }
  | { readonly key: string; readonly op: "delete" };

type Cells = Pick<Kernel, "cell">;

/** Undefined if there is a value that the kernel cannot hold exactly. */
export function effectsOf(
  writes: readonly Write[],
  tool: string,
  kernel: Cells,
): readonly Effect[] | undefined {
  const effects = new Map<string, Effect>();
  for (const write of writes) {
    const { fluent, key, value } = write;
    if (key instanceof Unknown || value instanceof Unknown) {
      const marked = unknownKey(cellOf(write));
      effects.set(marked, { key: marked, op: "set", value: markOf("set from the unknown", tool) });
      continue;
    }
    const [cell, json] = [cellKey(fluent, key), toJson(value)];
    if (json === undefined) return undefined;
    const marked = unknownKey(cell);
    effects.delete(marked);
    for (const effect of settingOf(cell, json, kernel)) effects.set(effect.key, effect);
  }
  return [...effects.values()];
}

/** A key that is set is known again. */
export function settingOf(key: string, value: Json, kernel: Cells): readonly Effect[] {
  const marked = unknownKey(key);
  const setting: Effect = { key, op: "set", value };
  return kernel.cell(marked) === undefined ? [setting] : [setting, { key: marked, op: "delete" }];
}

/** For a call whose `undo` is not clear: it may have set each of these, or not. */
export function marksOf(writes: readonly Write[], value: Mark): Marking["effects"] {
  const marked = new Set(writes.map((write) => unknownKey(cellOf(write))));
  return Array.from(marked, (key) => ({ key, op: "set", value }));
}

/** For what a call may have set, that it is not known any more: besides what stands there, and what was marked before. */
export function marksFor(why: Mark, effects: readonly Effect[], kernel: Cells): Marking["effects"] {
  const marks = new Map<string, Json>();
  for (const effect of effects) {
    if (effect.op === "delete") continue;
    const isMark = hasMarks([effect.key]);
    const mark = isMark ? effect.key : unknownKey(effect.key);
    const before = marks.get(mark) ?? jsonAt(kernel, mark);
    marks.set(mark, isMark ? effect.value : unknownMark(why, effect.value, before));
  }
  return Array.from(marks, ([key, value]) => ({ key, op: "set", value }));
}

/** The effects of an action as a trace keeps them. */
export function effectsIn(kept: Json | undefined): readonly Effect[] {
  if (kept === undefined || !isJsonArray(kept)) return [];
  return kept.flatMap((one): readonly Effect[] => {
    if (!isJsonObject(one) || typeof one.key !== "string") return [];
    const { key } = one;
    return one.op === "delete" ? [{ key, op: "delete" }] : [{ key, op: "set", value: one.value ?? null }];
  });
}

/** The value at a key of the state. */
export function jsonAt(kernel: Cells, key: string): Json | undefined {
  const text = kernel.cell(key);
  if (text === undefined) return undefined;
  const read = readJson(text);
  if (!read.ok) throw new TypeError(`the kernel holds something under \`${key}\` that is not JSON`);
  return read.value.value;
}

/** As it would be written in JSON, numbers as they were written. */
export function writtenText(json: Json): string {
  if (typeof json === "string") return JSON.stringify(json);
  if (typeof json !== "object" || json === null) return String(json);
  if (JsonNumber.is(json)) return json.text;
  if (isJsonArray(json)) return `[${json.map(writtenText).join(",")}]`;
  const names = Object.keys(json);
  return `{${names.map((name) => `${JSON.stringify(name)}:${writtenText(json[name] ?? null)}`).join(",")}}`;
}

/** The cell, or the whole fluent if the cell is unknown. */
function cellOf({ fluent, key }: Write): string {
  return key instanceof Unknown ? fluent : cellKey(fluent, key);
}
