/**
 * Compares the kernel's fluents with the state that the proof assumes and with the state that the run has reached.
 * SOUNDNESS: a proof speaks of the declared initial values, and a run of what its own calls set. Where the kernel
 * holds something else, neither is about the world as it is.
 */
import {
  type Cell,
  type Checked,
  encodeValue,
  equal,
  type Fluent,
  fromJs,
  type PlainJson,
  readJson,
  State,
  type Type,
  Unknown,
  type Value,
} from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { cellKey, unknownKey } from "../cells.ts";

export interface Stored {
  readonly cell: Kernel["cell"];
  readonly view: () => { readonly keys: () => Iterable<string> };
}

/** A cell that does not hold what it should, by its key in the state of the kernel. */
export interface Difference {
  readonly key: string;
  /** The cell's value as JSON, or the reason why it is unknown. */
  readonly holds: string;
}

/**
 * Returns the initial state of a run: cells with values beyond the declared initial ones, and cells that contradict
 * them.
 */
export function startingState(
  checked: Checked,
  kernel: Stored,
): { readonly cells: readonly Cell[]; readonly differences: readonly Difference[] } {
  const cells: Cell[] = [];
  const initial = State.initial(checked);
  for (const { fluent, key, at } of storedCells(checked, kernel)) {
    if (fluent.initial !== undefined || isUnknown(fluent, key, kernel)) continue;
    const [known, value] = [keyOfText(fluent.key, at), valueAt(fluent, key, kernel)];
    // What cannot be read is left unknown, which is all that the proof assumes of it.
    if (known !== undefined && value !== undefined && cellKey(fluent.name, known) === key)
      cells.push({ fluent: fluent.name, key: known, value });
  }
  return { cells, differences: differencesFrom(checked, kernel, initial) };
}

/** The values of the fluents in the kernel. */
export function stateNow(checked: Checked, kernel: Stored): State {
  const state = State.initial(checked);
  for (const { fluent, key, at } of storedCells(checked, kernel)) {
    const known = keyOfText(fluent.key, at);
    if (known === undefined) continue;
    const value = isUnknown(fluent, key, kernel) ? undefined : valueAt(fluent, key, kernel);
    const kept = value === undefined ? new Unknown(`the value of \`${key}\` is unknown`) : value;
    if (kernel.cell(key) !== undefined || value === undefined)
      state.write({ fluent: fluent.name, key: known, value: kept, update: 0 });
  }
  for (const { name } of checked.fluents.values()) {
    if (kernel.cell(unknownKey(name)) === undefined) continue;
    const lost = new Unknown(`the value of \`${name}\` is unknown`);
    state.write({ fluent: name, key: lost, value: lost, update: 0 });
  }
  return state;
}

/** Lists the cells in which the kernel differs from the state that the run has reached. */
export function differencesFrom(checked: Checked, kernel: Stored, state: State): readonly Difference[] {
  const expected = new Map<string, Value | Unknown>();
  for (const { name } of checked.fluents.values())
    for (const { key, value } of state.cells(name)) expected.set(cellKey(name, key), value);
  const found: Difference[] = [];
  const seen = new Set<string>();
  const declared = State.initial(checked);
  const look = (fluent: Fluent, key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    // Not `??`: null is a value of its own.
    const own = expected.get(key);
    const wanted = own === undefined ? state.rest(fluent.name) : own;
    if (wanted instanceof Unknown) return;
    if (isUnknown(fluent, key, kernel)) {
      found.push({ key, holds: "an unknown value, since a call failed" });
      return;
    }
    const json = kernel.cell(key);
    const value = json === undefined ? declared.rest(fluent.name) : valueAt(fluent, key, kernel);
    const isSame = value !== undefined && !(value instanceof Unknown) && equal(value, wanted);
    if (!isSame) found.push({ key, holds: json ?? "nothing" });
  };
  for (const { fluent, key } of storedCells(checked, kernel)) look(fluent, key);
  for (const fluent of checked.fluents.values()) {
    for (const { key } of state.cells(fluent.name)) look(fluent, cellKey(fluent.name, key));
    const isKnown = !(state.rest(fluent.name) instanceof Unknown);
    if (isKnown && kernel.cell(unknownKey(fluent.name)) !== undefined)
      found.push({ key: fluent.name, holds: "an unknown value, since a call failed" });
  }
  return found;
}

/** As the trace keeps what a run began with. */
export function cellToJson(checked: Checked, { fluent, key, value }: Cell): PlainJson {
  const declared = checked.fluents.get(fluent);
  if (declared === undefined || value instanceof Unknown) throw new TypeError("a cell that is not known");
  return { fluent, key: encodeValue(key, declared.key), value: encodeValue(value, declared.value) };
}

interface StoredCell {
  readonly fluent: Fluent;
  /** Key of the kernel's state. */
  readonly key: string;
  /** The text between the brackets. */
  readonly at: string;
}

/** Every cell that the kernel says something of, also if only that it is not known. */
function* storedCells(checked: Checked, kernel: Stored): Iterable<StoredCell> {
  if (checked.fluents.size === 0) return;
  for (const stored of kernel.view().keys()) {
    const key = stored.startsWith(unknownKey("")) ? stored.slice(unknownKey("").length) : stored;
    const open = key.indexOf("[");
    const fluent = open < 0 || !key.endsWith("]") ? undefined : checked.fluents.get(key.slice(0, open));
    if (fluent !== undefined) yield { fluent, key, at: key.slice(open + 1, -1) };
  }
}

function isUnknown({ name }: Fluent, key: string, kernel: Stored): boolean {
  return kernel.cell(unknownKey(key)) !== undefined || kernel.cell(unknownKey(name)) !== undefined;
}

function valueAt({ value: type }: Fluent, key: string, kernel: Stored): Value | undefined {
  const text = kernel.cell(key);
  const json = text === undefined ? undefined : readJson(text);
  const read = json?.ok ? fromJs(json.value.value, type) : undefined;
  return read?.ok ? read.value : undefined;
}

/** Undefined for keys of types that are not written as text in one plain way. */
export function keyOfText(type: Type, text: string): Value | undefined {
  switch (type.kind) {
    case "string":
      return text;
    case "enum":
      return type.values.includes(text) ? text : undefined;
    case "bool":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "int":
      return /^-?[0-9]{1,300}$/.test(text) ? BigInt(text) : undefined;
    default:
      return undefined;
  }
}
