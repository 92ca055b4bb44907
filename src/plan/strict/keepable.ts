/** Checks that a kernel can store an action, independent of policy and state: its keys, names and values. */
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "../../ir/index.ts";
import { decodeAction, kernelLimits, type Tariff } from "../../kernel/index.ts";
import { hasMarks, unknownKey } from "../../run/index.ts";
import { type Action, keyOf, type Plan, writtenValue } from "../plan.ts";
import { referenceIn } from "../references.ts";

export interface Setting {
  readonly key: string;
  readonly value: Json;
}

/** Returns the writes that an action declares: the value of a `state_write`, then its effects. */
export function settingsOf(action: Action): readonly Setting[] {
  const own = action.type === "state_write" ? keyOf(action) : undefined;
  if (own === undefined) return action.expectedEffects;
  return [{ key: own, value: writtenValue(action) }, ...action.expectedEffects];
}

/**
 * Why every kernel refuses the action; undefined if none has to. What references stand for was kept before, so the kernel
 * takes it.
 */
export function refusalOf(
  action: Action,
  settings: readonly Setting[],
  actions: Plan["actions"],
): string | undefined {
  const isCall = action.type === "tool_call";
  const long = isCall ? unmarkable(settings) : undefined;
  if (long !== undefined) return long;
  const undo = isCall ? undoParameters(action, actions) : undefined;
  // An action on the state is kept with its key, also one that only reads it.
  const key = isCall ? undefined : keyOf(action);
  const isQuick =
    (!isCall || (isShortName(action.tool ?? "") && areSmall([action.parameters, undo ?? null]))) &&
    (key === undefined || areSmall([key])) &&
    settings.length <= quick.settings &&
    settings.every(({ key, value }) => isShortName(key) && areSmall([value]));
  if (isQuick) return undefined;
  const read = decodeAction(
    {
      id: "action",
      ...(isCall && { tool: action.tool ?? "", args: filled(action.parameters) }),
      ...(key !== undefined && { tool: "tool", args: { key } }),
      effects: settings.map(({ key, value }) => ({ key, op: "set", value: filled(value) })),
      ...(undo !== undefined && { undo: { id: "undo", tool: "tool", args: filled(undo) } }),
    },
    noBudgets,
  );
  return read.ok ? undefined : read.problem.message;
}

/**
 * Why what a call sets could not be marked as not known if it failed; undefined if it could. Without the mark, nobody could
 * say what became of the call.
 */
export function unmarkable(settings: readonly Pick<Setting, "key">[]): string | undefined {
  const most = kernelLimits.nameLength;
  const found = settings.find(({ key }) => !hasMarks([key]) && unknownKey(key).length > most);
  if (found === undefined) return undefined;
  const short = most - unknownKey("").length;
  return `a key that a call sets has up to ${short} characters, and one has ${found.key.length}`;
}

/** Why a kernel would not take it as the value of any one key; undefined if it would. */
export function refusedValue(value: Json): string | undefined {
  if (areSmall([value])) return undefined;
  const key = "k".repeat(kernelLimits.nameLength);
  const read = decodeAction(
    {
      id: "action",
      effects: [
        { key, op: "set", value },
        { key, op: "delete" },
      ],
    },
    noBudgets,
  );
  return read.ok ? undefined : read.problem.message;
}

const noBudgets: Tariff = { budgets: [] };

/** The form recorded with the call, for compensation: for a tool that undoes its own calls, the parameters. */
function undoParameters({ compensation, parameters }: Action, actions: Plan["actions"]): Json {
  if (compensation === undefined) return parameters;
  if (compensation.type === "tool") return compensation.parameters;
  return actions.find(({ id }) => id === compensation.actionId)?.parameters ?? null;
}

function filled(json: Json): Json {
  if (typeof json === "string") return referenceIn(json) === undefined ? json : null;
  if (isJsonArray(json)) return json.map(filled);
  if (!isJsonObject(json)) return json;
  const object: Record<string, Json> = Object.create(null);
  for (const name of Object.keys(json)) object[name] = filled(json[name] ?? null);
  return object;
}

// ── a quick look, which is enough for nearly all ─────────────────────────────────────────────────────────

/** LIMIT: far below every bound of the kernel. */
const quick = { name: 200, text: 1_000, parts: 400, depth: 16, settings: 16, number: 2n ** 64n } as const;

function isShortName(name: string): boolean {
  return name !== "" && name.length <= quick.name && isPlainText(name);
}

function areSmall(values: readonly Json[]): boolean {
  let left: number = quick.parts;
  const go = (json: Json, depth: number): boolean => {
    if (--left < 0) return false;
    if (typeof json === "string") return json.length <= quick.text && isPlainText(json);
    if (typeof json !== "object" || json === null) return true;
    if (JsonNumber.is(json)) return isSmallNumber(json);
    if (depth === quick.depth) return false;
    if (isJsonArray(json)) return json.every((item) => go(item, depth + 1));
    for (const name in json) {
      if (name.length > quick.name || !isPlainText(name) || !go(json[name] ?? null, depth + 1)) return false;
    }
    return true;
  };
  return values.every((value) => go(value, 0));
}

function isSmallNumber({ value, isNegativeZero }: JsonNumber): boolean {
  const isSmall = (x: bigint): boolean => x < quick.number && x > -quick.number;
  if (isNegativeZero) return false;
  return typeof value === "bigint" ? isSmall(value) : isSmall(value.num) && isSmall(value.den);
}

/** Without surrogates: most texts have none. */
function isPlainText(text: string): boolean {
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xf800) === 0xd800) return false;
  return true;
}
