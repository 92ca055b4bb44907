/**
 * Compares cells of the state with the world, cell by cell. SOUNDNESS: what could not be observed is never taken for
 * agreement, and neither is a cell with a call under way.
 */
import {
  type Checked,
  equal,
  type Fluent,
  fromJs,
  type Json,
  parseNum,
  readJson,
  State,
  Unknown,
  type Value,
} from "../../ir/index.ts";
import { type Kernel, kernelLimits } from "../../kernel/index.ts";
import { cellKey, markedBy, toJson, unknownKey } from "../cells.ts";
import { writtenText } from "../effects.ts";
import { keyOfText } from "../program/stored-state.ts";
import { type LoadedProbe, type ProbeHow, type Seen, seeCell, seeKeys, worldLimits } from "./probe.ts";

export interface WorldModel {
  readonly checked: Checked;
  readonly kernel: Kernel;
  /** By the names of their fluents. */
  readonly probes: ReadonlyMap<string, LoadedProbe>;
  readonly how: ProbeHow;
}

/** A cell of a fluent, as a call names it. */
export interface CellName {
  readonly fluent: string;
  readonly key: Value;
}

export type CellState =
  | "agrees"
  | "differs"
  /** The state has a mark there: a call may have set it, or not. */
  | "unknown"
  /** A reservation without an outcome would set it. */
  | "in doubt"
  | "not observed";

/** A cell, model beside world. */
export interface CellView {
  readonly fluent: string;
  /** Its key in the state of the kernel; the name of the fluent if its keys could not be told. */
  readonly cell: string;
  readonly state: CellState;
  /** JSON; absent if the state holds nothing there and nothing is assumed. */
  readonly model?: string;
  /** JSON; absent if the world has nothing there, or was not observed. */
  readonly world?: string;
  /** Set if the model is the declared initial value, which the state does not hold. */
  readonly initial?: true;
  readonly why?: string;
  readonly json?: Json;
}

/** Compares the cells that are named, or all that the state holds or the world tells. */
export async function lookAtCells(
  model: WorldModel,
  named?: readonly CellName[],
): Promise<readonly CellView[]> {
  const views: CellView[] = [];
  const { checked, probes } = model;
  for (const fluent of checked.fluents.values()) {
    const probe = probes.get(fluent.name);
    if (probe === undefined) continue;
    if (named !== undefined) {
      const keys = named.filter((one) => one.fluent === fluent.name).map(({ key }) => key);
      views.push(...(await lookAtKeys(model, fluent, probe, distinct(fluent, keys))));
    } else views.push(...(await lookAtFluent(model, fluent, probe)));
  }
  return views;
}

async function lookAtFluent(
  model: WorldModel,
  fluent: Fluent,
  probe: LoadedProbe,
): Promise<readonly CellView[]> {
  const { name } = fluent;
  const unread: CellView[] = [];
  const keys: Value[] = [];
  const held = heldCells(model.kernel, name);
  if (held.length > worldLimits.cells)
    return [notObserved(name, name, `the state holds more than ${worldLimits.cells} cells of it`)];
  for (const cell of held) {
    const key = keyIn(fluent, cell);
    if (key === undefined) unread.push(notObserved(name, cell, "its key cannot be read"));
    else keys.push(key);
  }
  const told = await seeKeys(probe, fluent, model.how);
  if (told.kind === "failed") unread.push(notObserved(name, name, told.reason));
  else keys.push(...told.keys);
  if (model.kernel.cell(unknownKey(name)) !== undefined && probe.keys === undefined)
    unread.push({ fluent: name, cell: name, state: "unknown", why: "a call may have set any of its cells" });
  return [...unread, ...(await lookAtKeys(model, fluent, probe, distinct(fluent, keys)))];
}

async function lookAtKeys(
  model: WorldModel,
  fluent: Fluent,
  probe: LoadedProbe,
  keys: readonly Value[],
): Promise<readonly CellView[]> {
  const views: CellView[] = new Array(keys.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < keys.length; i = next++) {
      const key = keys[i];
      if (key === undefined) continue;
      const seen = await seeCell(probe, fluent, key, model.how);
      views[i] = viewOf(model, fluent, key, seen);
    }
  };
  await Promise.all(Array.from({ length: Math.min(worldLimits.probes, keys.length) }, work));
  return views;
}

function viewOf({ checked, kernel }: WorldModel, fluent: Fluent, key: Value, seen: Seen): CellView {
  const { name } = fluent;
  const cell = cellKey(name, key);
  const text = kernel.cell(cell);
  const initial = State.initial(checked).rest(name);
  const assumed = text === undefined && !(initial instanceof Unknown) ? initial : undefined;
  const assumedJson = assumed === undefined ? undefined : toJson(assumed);
  const model = text ?? (assumedJson === undefined ? undefined : writtenText(assumedJson));
  const about = {
    fluent: name,
    cell,
    ...(model !== undefined && { model }),
    ...(assumed !== undefined && { initial: true as const }),
  };
  const [doubt] = kernel.reservationsOn([cell]);
  if (doubt !== undefined)
    return { ...about, ...worldOf(seen), state: "in doubt", why: `\`${doubt.action}\` has no outcome yet` };
  if (seen.kind === "failed") return { ...about, state: "not observed", why: seen.reason };
  const isMarked = kernel.cell(unknownKey(cell)) !== undefined || kernel.cell(unknownKey(name)) !== undefined;
  if (isMarked)
    return { ...about, ...worldOf(seen), state: "unknown", why: "a call may have set it, or not" };
  return { ...about, ...worldOf(seen), state: isSame(fluent, text, assumed, seen) ? "agrees" : "differs" };
}

/** Returns true also if the state holds nothing and nothing is assumed: then the world may hold anything. */
function isSame(fluent: Fluent, text: string | undefined, assumed: Value | undefined, seen: Seen): boolean {
  if (text === undefined && assumed === undefined) return true;
  if (seen.kind !== "value") return text === undefined;
  const ours = text === undefined ? assumed : valueIn(fluent, text);
  return ours !== undefined && equal(ours, seen.value);
}

function worldOf(seen: Seen): Pick<CellView, "world" | "json"> {
  return seen.kind === "value" ? { world: writtenText(seen.json), json: seen.json } : {};
}

function valueIn({ value: type }: Fluent, text: string): Value | undefined {
  const json = readJson(text);
  const read = json.ok ? fromJs(json.value.value, type) : undefined;
  return read?.ok ? read.value : undefined;
}

/** Cells of a fluent that the state holds, or says that it does not know. */
function heldCells(kernel: Kernel, fluent: string): readonly string[] {
  const found = new Set<string>();
  for (const key of kernel.view().keys()) {
    const cell = key.startsWith(unknownKey("")) ? markedBy(key) : key;
    if (cell.startsWith(`${fluent}[`) && cell.endsWith("]")) found.add(cell);
  }
  return [...found].sort();
}

function keyIn(fluent: Fluent, cell: string): Value | undefined {
  const text = cell.slice(fluent.name.length + 1, -1);
  const key =
    fluent.key.kind === "real" ? parseNum(text, kernelLimits.numberBits) : keyOfText(fluent.key, text);
  return key !== undefined && cellKey(fluent.name, key) === cell ? key : undefined;
}

function distinct({ name }: Fluent, keys: readonly Value[]): readonly Value[] {
  return [...new Map(keys.map((key) => [cellKey(name, key), key])).values()];
}

function notObserved(fluent: string, cell: string, why: string): CellView {
  return { fluent, cell, state: "not observed", why };
}
