/**
 * An action at the moment it is reached: whether what it asks for is met, what its tool receives, and what it will change.
 * With a book of tool modules, what the plan claims of a tool changes nothing.
 */
import { isJsonObject, type Json, type JsonObject, quoted } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import {
  type Effect,
  jsonAt,
  markOf,
  markWords,
  possibleAt,
  settingOf,
  unknownKey,
} from "../../run/index.ts";
import { type Action, keyOf } from "../plan.ts";
import { type Outputs, resolve } from "../references.ts";
import { isReceivable } from "../values.ts";
import { type Ask, assertionAsk, stateAsks } from "./access-sets.ts";
import { conditionText, holds } from "./conditions.ts";
import { type Happening, happenings } from "./happenings.ts";
import { settingsOf, unmarkable } from "./keepable.ts";
import { type CallModel, type ReadKey, receivedBy, type ToolBook } from "./tool-book.ts";

/** The state. */
export type Cells = Pick<Kernel, "cell">;

export interface Ready {
  readonly kind: "ready";
  readonly args: JsonObject;
  readonly effects: readonly Effect[];
  /** Set for an action that calls no tool. */
  readonly output: Json;
}

export interface Unmet {
  readonly kind: "unmet";
  readonly message: string;
}

export interface Surroundings {
  readonly cells: Cells;
  readonly outputs: Outputs;
  readonly book: ToolBook | undefined;
}

/** Claims come true where there is no book. */
export function readied(action: Action, { cells, outputs, book }: Surroundings): Ready | Unmet {
  const against = unmetAsk(action, stateAsks(action), cells);
  if (against !== undefined) return against;
  const resolved = resolvedAction(action, outputs);
  if ("kind" in resolved) return resolved;
  const asserted = unmetAsk(action, assertionAsk(resolved), cells);
  if (asserted !== undefined) return asserted;
  if (action.type !== "tool_call") return readiedOther(resolved, cells);
  const found = book === undefined ? claimedCall(resolved, cells) : declaredCall(resolved, book, cells);
  const why = found.kind === "ready" ? unmarkable(found.effects) : undefined;
  return why === undefined ? found : unmet(`what ${quoted(action.id)} sets cannot be marked: ${why}`);
}

/** With what its references stand for. */
export function resolvedAction(action: Action, outputs: Outputs): Action | Unmet {
  const parameters = resolve(action.parameters, outputs);
  if (parameters.kind === "missing") return noOutput(action, parameters.reference);
  if (!isJsonObject(parameters.value)) throw new TypeError("parameters are an object");
  const expectedEffects: { key: string; value: Json }[] = [];
  for (const { key, value } of action.expectedEffects) {
    const found = resolve(value, outputs);
    if (found.kind === "missing") return noOutput(action, found.reference);
    expectedEffects.push({ key, value: found.value });
  }
  return { ...action, parameters: parameters.value, expectedEffects };
}

/** The first of the conditions that does not hold, whatever the state may be. */
export function unmetAsk({ id }: Action, asks: readonly Ask[], cells: Cells): Unmet | undefined {
  for (const ask of asks) {
    const possible = possibleAt(ask.key, (one) => jsonAt(cells, one));
    if (possible !== "anything" && possible.every((cell) => holds(ask, cell))) {
      if (ask.from !== "read" || possible.length === 1) continue;
    }
    const asked = `${quoted(id)} asks for ${quoted(conditionText(ask))}`;
    if (possible === "anything" || possible.length > 1)
      return unmet(`${asked}, and the value of ${quoted(ask.key)} is unknown: ${whyUnknown(cells, ask.key)}`);
    const is = cells.cell(ask.key);
    const found = is === undefined ? "is absent" : `is ${quoted(shortened(is))}`;
    return unmet(`${asked}, and ${quoted(ask.key)} ${found}`);
  }
  return undefined;
}

/** Why it is not known what a key holds, in the words that were kept. */
function whyUnknown(cells: Cells, key: string): string {
  const mark = jsonAt(cells, unknownKey(key)) ?? jsonAt(cells, unknownKey(key.replace(/\[.*$/s, "")));
  return mark === undefined ? "a call failed" : markWords(mark);
}

/** An action on the state alone, with what its references stand for. */
export function readiedOther(action: Action, cells: Cells): Ready {
  const output = action.type === "state_read" ? (jsonAt(cells, keyOf(action) ?? "") ?? null) : null;
  return { kind: "ready", args: action.parameters, effects: settings(settingsOf(action), cells), output };
}

function claimedCall({ id, tool = "", parameters, expectedEffects }: Action, cells: Cells): Ready | Unmet {
  if (!isReceivable(parameters))
    return unmet(`${quoted(tool)} cannot receive a number of ${quoted(id)} exactly`);
  return { kind: "ready", args: parameters, effects: settings(expectedEffects, cells), output: null };
}

// ── tools of modules ─────────────────────────────────────────────────────────────────────────────────────

function declaredCall(
  { id, tool: name = "", parameters }: Action,
  book: ToolBook,
  cells: Cells,
): Ready | Unmet {
  // What was resolved is data, also if it looks like a reference.
  const model = book.read({ tool: name, parameters }, () => false);
  if (model.kind !== "modelled") {
    const why = model.kind === "misfit" ? model.message : model.kind;
    return unmet(`the parameters of ${quoted(id)} do not fit ${quoted(name)}: ${why}`);
  }
  const { call } = model;
  const read: ReadKey = (key) => {
    const possible = possibleAt(key, (one) => jsonAt(cells, one));
    return possible === "anything" || possible.length > 1 ? "unknown" : { cell: possible[0] };
  };
  const [first] = happenings(book, call, read, 1).each;
  const [requirement] = first.unmet;
  if (requirement !== undefined) {
    const verb = requirement.kind === "fails" ? "does not hold" : "is not known to hold";
    return unmet(`${quoted(name)} requires ${quoted(requirement.text)}, which ${verb} for ${quoted(id)}`);
  }
  const passed = receivedBy(call.tool, parameters);
  if (!passed.ok) {
    const why = passed.problems[0]?.message ?? "";
    return unmet(`${quoted(name)} cannot receive its arguments exactly: ${why}`);
  }
  const effects = changesOf(call, first, read, cells);
  if (effects === undefined) return unmet(`what ${quoted(id)} would change cannot be computed exactly`);
  return { kind: "ready", args: parameters, effects, output: null };
}

function changesOf(
  call: CallModel,
  { updates }: Happening,
  read: ReadKey,
  cells: Cells,
): readonly Effect[] | undefined {
  const [settled, marks] = [new Map<string, Json>(), new Map<string, Effect>()];
  const isUncertain = call.reads.some((key) => read(key) === "unknown");
  for (const [i, { happens, value }] of updates.entries()) {
    if (happens === "never") continue;
    const key = call.writes[i];
    if (key === undefined) return undefined;
    if (happens === "always" && value !== undefined) {
      settled.set(key, value);
      marks.delete(key);
    } else if (isUncertain) {
      // It depends on an unknown value.
      const mark = markOf("set from the unknown", call.tool.name);
      marks.set(key, { key: unknownKey(key), op: "set", value: mark });
    } else return undefined;
  }
  const known = Array.from(settled, ([key, value]) => ({ key, value })).filter(({ key }) => !marks.has(key));
  return [...settings(known, cells), ...marks.values()];
}

// ── common ───────────────────────────────────────────────────────────────────────────────────────────────

/** The last of several settings of one key counts. */
function settings(
  settled: readonly { readonly key: string; readonly value: Json }[],
  cells: Cells,
): readonly Effect[] {
  const last = new Map(settled.map(({ key, value }) => [key, value]));
  return Array.from(last, ([key, value]) => settingOf(key, value, cells)).flat();
}

function unmet(message: string): Unmet {
  return { kind: "unmet", message };
}

function noOutput({ id }: Action, reference: string): Unmet {
  return unmet(`${quoted(id)} refers to ${quoted(reference)}, and there is no such output`);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
