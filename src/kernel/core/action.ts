/** An action: what it is called, what it does to the state, what it costs. Part of what must be trusted. */
import { isRecord, list, record, type Value } from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { canonicalText, textOf } from "../values/canonical.ts";
import { dataOf, itemOf, nameOf, Reader } from "../values/decode.ts";
import { countOf } from "../values/fields.ts";
import { amountText, readAmount, unitsOf } from "../values/units.ts";
import { amountsText, type BudgetPolicy, type Charges } from "./budget.ts";
import { type Effect, type Operation, operations } from "./effects.ts";
import type { Policy } from "./policy.ts";

export interface Action {
  readonly id: string;
  readonly tool?: string;
  readonly args?: Value;
  readonly effects: readonly Effect[];
  /** By the position of the budget, those around it included. */
  readonly charges: Charges;
  /** The same without those around. */
  readonly costs: Charges;
  /** The version of the state that it was made for. */
  readonly reads?: number;
  /** Data for compensation after a rollback; opaque to the kernel, which returns it. */
  readonly undo?: Value;
  /** Caller and purpose as data; not part of the action's identity, and opaque to the kernel. */
  readonly origin?: Value;
  /** The keys that it writes, each once. */
  readonly writes: readonly string[];
}

/** Budgets that the decoder needs to price an action. */
export interface Tariff {
  readonly budgets: readonly BudgetPolicy[];
  /** Reads a policy that is to replace the one with these budgets. */
  readonly amended?: Policy["amended"];
}

/**
 * From anything; one that was prepared for the same budgets is taken as it is. What is handed out of the kernel must be
 * frozen first, since it is not looked at again.
 */
export function decodeAction(input: unknown, tariff: Tariff): Decoded<Action> {
  if (ReadAction.is(input) && input.tariff === tariff) return { ok: true, value: input };
  return decoded(() => readAction(new Reader(), input, tariff));
}

/** Freezes all that the decoder has not frozen yet, which costs as much as reading some of it. */
export function frozenAction(action: Action): Action {
  for (const effect of action.effects) Object.freeze(effect);
  for (const part of [action.effects, action.charges, action.costs, action.writes]) Object.freeze(part);
  return Object.freeze(action);
}

/** A decoded action: a private copy that needs no second check. Only the constructor sets the mark. */
class ReadAction implements Action {
  readonly id: string;
  declare readonly tool?: string;
  declare readonly args?: Value;
  readonly effects: readonly Effect[];
  readonly charges: Charges;
  readonly costs: Charges;
  declare readonly reads?: number;
  declare readonly undo?: Value;
  declare readonly origin?: Value;
  readonly #tariff: Tariff;
  #writes: readonly string[] | undefined;
  #text: string | undefined;

  constructor(parts: Parts, effects: readonly Effect[], costs: Charges, tariff: Tariff) {
    this.id = parts.id;
    if (parts.tool !== undefined) this.tool = parts.tool;
    if (parts.args !== undefined) this.args = parts.args;
    this.effects = effects;
    this.costs = costs;
    this.charges = withAround(costs, tariff);
    if (parts.reads !== undefined) this.reads = parts.reads;
    if (parts.undo !== undefined) this.undo = parts.undo;
    if (parts.origin !== undefined) this.origin = parts.origin;
    this.#tariff = tariff;
  }

  static is(input: unknown): input is ReadAction {
    return typeof input === "object" && input !== null && #tariff in input;
  }

  get tariff(): Tariff {
    return this.#tariff;
  }

  get writes(): readonly string[] {
    this.#writes ??= keysOf(this.effects);
    return this.#writes;
  }

  get text(): string {
    this.#text ??= textOfAction(this, this.#tariff, this.origin);
    return this.#text;
  }

  /** Without its origin. */
  get identity(): string {
    return this.origin === undefined ? this.text : textOfAction(this, this.#tariff, undefined);
  }
}

export function actionText(action: Action): string {
  return asRead(action).text;
}

/** Returns the identity of an action: equal for equal actions, independent of the caller. */
export function actionIdentity(action: Action): string {
  return asRead(action).identity;
}

function asRead(action: Action): ReadAction {
  if (!ReadAction.is(action)) throw new TypeError("an action that was not read");
  return action;
}

/** All of an action as one value; reading it again gives the same action. */
export function actionBody(action: Action): Value {
  const { id, tool, args, effects, costs, reads, undo, origin } = action;
  const parts: [string, Value | undefined][] = [
    ["id", id],
    ["tool", tool],
    ["args", args],
    ["effects", list(effects.map(effectValue))],
    ["cost", costValue(costs, asRead(action).tariff)],
    ["reads", reads === undefined ? undefined : BigInt(reads)],
    ["undo", undo],
    ["origin", origin],
  ];
  return record(parts.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])));
}

/** The canonical text of the same, written straight down: the names are in the order of the alphabet. */
function textOfAction(action: Action, tariff: Tariff, origin: Value | undefined): string {
  const { id, tool, args, effects, costs, reads, undo } = action;
  let text = args === undefined ? "{" : `{"args":${canonicalText(args)},`;
  text += `"cost":${amountsText(costs, tariff.budgets, "without zeros")},"effects":[`;
  let comma = "";
  for (const { key, op, value } of effects) {
    const operand = value === undefined ? "" : `,"value":${canonicalText(value)}`;
    text += `${comma}{"key":${textOf(key)},"op":"${op}"${operand}}`;
    comma = ",";
  }
  text += `],"id":${textOf(id)}`;
  if (origin !== undefined) text += `,"origin":${canonicalText(origin)}`;
  if (reads !== undefined) text += `,"reads":${reads}`;
  if (tool !== undefined) text += `,"tool":${textOf(tool)}`;
  if (undo !== undefined) text += `,"undo":${canonicalText(undo)}`;
  return `${text}}`;
}

/** Subjects of error messages; built once, because actions are decoded often. */
const partOf = {
  id: ["field", "id", "action"],
  tool: ["field", "tool", "action"],
  reads: ["field", "reads", "action"],
  effects: ["field", "effects", "action"],
  key: ["field", "key", "effect"],
  op: ["field", "op", "effect"],
} as const satisfies Readonly<Record<string, Part>>;

/** Each field as it was found. */
interface Parts {
  id: string;
  tool: string | undefined;
  args: Value | undefined;
  reads: number | undefined;
  undo: Value | undefined;
  origin: Value | undefined;
}

/** From whatever a caller handed over, or from an entry; throws `Refused`. */
export function readAction(reader: Reader, input: unknown, tariff: Tariff): Action {
  const parts: Parts = {
    id: "",
    tool: undefined,
    args: undefined,
    reads: undefined,
    undo: undefined,
    origin: undefined,
  };
  let effects: readonly Effect[] = [];
  let cost: Value | undefined;
  for (const name of reader.open(input, "action")) {
    // SAFETY: what was opened is an object.
    const field = dataOf(input as object, name);
    switch (name) {
      case "id":
        parts.id = reader.name(field, partOf.id);
        break;
      case "tool":
        parts.tool = reader.name(field, partOf.tool);
        break;
      case "args":
        parts.args = reader.read(field);
        break;
      case "effects":
        effects = readEffects(reader, field);
        break;
      case "cost":
        cost = reader.read(field);
        break;
      case "reads":
        parts.reads = countOf(reader.read(field), partOf.reads);
        break;
      case "undo":
        parts.undo = reader.read(field);
        break;
      case "origin":
        parts.origin = reader.read(field);
        break;
      default:
        reader.unknown(name, "action");
    }
  }
  reader.close();
  if (parts.id === "") refuse("no field", { what: "action", field: "id" });
  return new ReadAction(parts, effects, readCosts(cost, tariff), tariff);
}

function readEffects(reader: Reader, input: unknown): readonly Effect[] {
  const length = reader.openList(input, partOf.effects);
  if (length > limits.effects) refuse("too many effects", { most: limits.effects });
  const effects = new Array<Effect>(length);
  // SAFETY: what was opened is an object.
  for (let i = 0; i < length; i++) effects[i] = readEffect(reader, itemOf(input as object, i));
  reader.close();
  return effects;
}

function readEffect(reader: Reader, input: unknown): Effect {
  let key: string | undefined;
  let op: Operation | undefined;
  let value: Value | undefined;
  for (const name of reader.open(input, "effect")) {
    // SAFETY: what was opened is an object.
    const field = dataOf(input as object, name);
    if (name === "key") key = reader.name(field, partOf.key);
    else if (name === "op") op = operationOf(field);
    else if (name === "value") value = reader.read(field);
    else reader.unknown(name, "effect");
  }
  reader.close();
  return effectOf(key, op, value);
}

/** An effect of its parts; throws `Refused`. */
export function effectOf(
  key: string | undefined,
  op: Operation | undefined,
  value: Value | undefined,
): Effect {
  if (key === undefined) return refuse("no field", { what: "effect", field: "key" });
  if (op === undefined) return refuse("no field", { what: "effect", field: "op" });
  if (op === "delete") {
    if (value !== undefined) refuse("value of a delete", { key });
    return { key, op };
  }
  if (value === undefined) return refuse("effect without a value", { key, op });
  return { key, op, value };
}

export function operationOf(word: unknown): Operation {
  switch (word) {
    case "set":
    case "increment":
    case "decrement":
    case "multiply":
    case "append":
    case "remove":
    case "delete":
      return word satisfies Operation;
    default:
      return refuse("not one of", { what: partOf.op, words: operations });
  }
}

/** The keys that effects write, each once. */
function keysOf(effects: readonly Effect[]): readonly string[] {
  const keys: string[] = [];
  // Few keys are quicker to compare than to put into a set.
  if (effects.length > 16) return [...new Set(effects.map(({ key }) => key))];
  for (const { key } of effects) if (!keys.includes(key)) keys.push(key);
  return keys;
}

export function effectValue({ key, op, value }: Effect): Value {
  const parts: [string, Value][] = [
    ["key", key],
    ["op", op],
  ];
  return record(value === undefined ? parts : [...parts, ["value", value]]);
}

/** Amounts of the budgets that are named; an amount alone is one of the first budget. Throws `Refused`. */
export function readCosts(value: Value | undefined, { budgets }: Tariff): bigint[] {
  const costs: bigint[] = budgets.length === 1 ? [0n] : budgets.map(() => 0n);
  if (value === undefined) return costs;
  if (isRecord(value)) {
    for (const [name, amount] of Object.entries(value.fields)) {
      const at = budgets.findIndex((budget) => budget.name === name);
      const budget = budgets[at];
      if (budget === undefined) return refuse("no such budget", { budget: nameOf(name, "budget") });
      costs[at] = unitsOf(amount, budget.quantum, budget.costPart);
    }
    return costs;
  }
  const [first] = budgets;
  if (first !== undefined) costs[0] = unitsOf(value, first.quantum, first.costPart);
  else if (readAmount(value, "cost") !== 0n) refuse("cost without a budget");
  return costs;
}

/** The amounts that are not zero, by name. */
export function costValue(costs: readonly bigint[], { budgets }: Tariff): Value {
  const named: [string, Value][] = [];
  budgets.forEach(({ name, quantum }, at) => {
    const units = costs[at] ?? 0n;
    if (units !== 0n) named.push([name, amountText(units, quantum)]);
  });
  return record(named);
}

/** Adds the cost of every budget to those around it. */
export function withAround(costs: readonly bigint[], { budgets }: Tariff): readonly bigint[] {
  if (budgets.every(isAlone)) return costs;
  const charges = [...costs];
  budgets.forEach(({ around }, at) => {
    for (const outer of around) charges[outer] = (charges[outer] ?? 0n) + (costs[at] ?? 0n);
  });
  return charges;
}

function isAlone({ around }: BudgetPolicy): boolean {
  return around.length === 0;
}
