/** An action: what it is called, what it does to the state, what it costs. Part of what must be trusted. */
import { quoted } from "../../ir/json/quoted.ts";
import { isRecord, list, record, type Value } from "../../ir/value.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import { canonicalText } from "../values/canonical.ts";
import { readValue } from "../values/decode.ts";
import { Fields, nameOf } from "../values/fields.ts";
import { amountText, readAmount, unitsOf } from "../values/units.ts";
import type { BudgetPolicy, Charges } from "./budget.ts";
import { type Effect, operations } from "./effects.ts";

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
  /** What to do to make up for it after a rollback; the kernel hands it back and does not look inside. */
  readonly undo?: Value;
  /** The keys that it writes, each once. */
  readonly writes: readonly string[];
}

/** What reading an action needs to know. */
export interface Tariff {
  readonly budgets: readonly BudgetPolicy[];
}

/** Actions that came out of the decoder: plain, deep-frozen data that need not be looked at again. */
const prepared = new WeakMap<object, Tariff>();
const texts = new WeakMap<Action, string>();

/** From anything; one that was prepared for the same budgets is taken as it is. */
export function decodeAction(input: unknown, tariff: Tariff): Decoded<Action> {
  if (isPrepared(input, tariff)) return { ok: true, value: input };
  return decoded(() => readAction(readValue(input), tariff));
}

function isPrepared(input: unknown, tariff: Tariff): input is Action {
  return typeof input === "object" && input !== null && prepared.get(input) === tariff;
}

export function actionText(action: Action): string {
  let text = texts.get(action);
  if (text === undefined) {
    text = canonicalText(actionBody(action));
    texts.set(action, text);
  }
  return text;
}

/** All of an action as one value; reading it again gives the same action. */
export function actionBody(action: Action): Value {
  const tariff = prepared.get(action);
  if (tariff === undefined) throw new TypeError("an action that was not read");
  const { id, tool, args, effects, costs, reads, undo } = action;
  const parts: [string, Value | undefined][] = [
    ["id", id],
    ["tool", tool],
    ["args", args],
    ["effects", list(effects.map(effectValue))],
    ["cost", costValue(costs, tariff)],
    ["reads", reads === undefined ? undefined : BigInt(reads)],
    ["undo", undo],
  ];
  return record(parts.flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])));
}

/** From a value; throws `Refused`. */
export function readAction(value: Value, tariff: Tariff): Action {
  const fields = new Fields(value, "the action");
  const id = fields.name("id");
  const tool = fields.optionalName("tool");
  const args = fields.optional("args");
  const given = fields.optionalList("effects");
  if (given.length > limits.effects) refuse("limit", `the action has more than ${limits.effects} effects`);
  const effects = Object.freeze(given.map(readEffect));
  const costs = readCosts(fields.optional("cost"), tariff);
  const reads = fields.optionalCount("reads");
  const undo = fields.optional("undo");
  fields.end();
  const action: Action = Object.freeze({
    id,
    ...(tool === undefined ? {} : { tool }),
    ...(args === undefined ? {} : { args }),
    effects,
    charges: Object.freeze(withAround(costs, tariff)),
    costs: Object.freeze(costs),
    ...(reads === undefined ? {} : { reads }),
    ...(undo === undefined ? {} : { undo }),
    writes: Object.freeze([...new Set(effects.map(({ key }) => key))]),
  });
  prepared.set(action, tariff);
  return action;
}

export function readEffect(value: Value): Effect {
  const fields = new Fields(value, "an effect");
  const key = fields.name("key");
  const op = fields.oneOf("op", operations);
  const operand = fields.optional("value");
  fields.end();
  if (op === "delete") {
    if (operand !== undefined) refuse("shape", `\`delete\` of ${quoted(key)} takes no value`);
    return Object.freeze({ key, op });
  }
  if (operand === undefined) return refuse("shape", `\`${op}\` of ${quoted(key)} has no value`);
  return Object.freeze({ key, op, value: operand });
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
  const costs = budgets.map(() => 0n);
  if (value === undefined) return costs;
  const charge = (at: number, amount: Value) => {
    const budget = budgets[at];
    if (budget === undefined) return;
    costs[at] = unitsOf(amount, budget.quantum, `the cost of ${budget.words}`);
  };
  if (isRecord(value)) {
    for (const [name, amount] of Object.entries(value.fields)) {
      const at = budgets.findIndex((budget) => budget.name === name);
      if (at < 0)
        refuse("shape", `the cost names a budget ${quoted(nameOf(name, "a budget"))} that is not there`);
      charge(at, amount);
    }
  } else {
    const amount = readAmount(value, "the cost");
    if (budgets.length === 0 && amount !== 0n) refuse("shape", "there is a cost and no budget");
    charge(0, value);
  }
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
export function withAround(costs: readonly bigint[], { budgets }: Tariff): bigint[] {
  const charges = [...costs];
  budgets.forEach(({ around }, at) => {
    for (const outer of around) charges[outer] = (charges[outer] ?? 0n) + (costs[at] ?? 0n);
  });
  return charges;
}
