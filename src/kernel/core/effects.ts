/**
 * Effects on the state: applied in order, each seeing the one before. A wrong operand is refused; what is absent is
 * not zero, and null is not absent. Part of what must be trusted.
 */
import { quoted } from "../../ir/json/quoted.ts";
import { add, multiply, type Num, subtract } from "../../ir/number.ts";
import { isList, isNum, list, type Value } from "../../ir/value.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { get, remove, set, type Trie } from "../trie.ts";
import { sameValue } from "../values/canonical.ts";
import { checkNumber, checkSize } from "../values/decode.ts";

export const operations = [
  "set",
  "increment",
  "decrement",
  "multiply",
  "append",
  "remove",
  "delete",
] as const;
export type Operation = (typeof operations)[number];

export interface Effect {
  readonly key: string;
  readonly op: Operation;
  /** Absent for `delete`. */
  readonly value?: Value;
}

export type Data = Trie<Value>;

/** The state after the effects; throws `Refused` and then has changed nothing. */
export function applyEffects(data: Data, effects: readonly Effect[]): Data {
  let after = data;
  for (const effect of effects) after = applyEffect(after, effect);
  return after;
}

function applyEffect(data: Data, { key, op, value }: Effect): Data {
  const before = get(data, key);
  if (op === "delete") {
    if (before === undefined) refuse("effect", `there is no ${quoted(key)} to delete`);
    return remove(data, key);
  }
  if (value === undefined) return refuse("effect", `\`${op}\` of ${quoted(key)} has no value`);
  if (op === "set") {
    if (before === undefined && data.size >= limits.keys)
      refuse("limit", `there are ${limits.keys} keys already`);
    return set(data, key, value);
  }
  if (before === undefined) return refuse("effect", `there is no ${quoted(key)} to \`${op}\``);
  return set(data, key, changed(before, op, value, key));
}

function changed(before: Value, op: Exclude<Operation, "set" | "delete">, value: Value, key: string): Value {
  switch (op) {
    case "increment":
      return computed(add, before, op, value, key);
    case "decrement":
      return computed(subtract, before, op, value, key);
    case "multiply":
      return computed(multiply, before, op, value, key);
    case "append": {
      const longer = list([...listAt(before, op, key), value]);
      checkSize(longer);
      return longer;
    }
    case "remove": {
      const items = listAt(before, op, key);
      const at = items.findIndex((item) => sameValue(item, value));
      if (at < 0) refuse("effect", `${quoted(key)} does not hold what \`remove\` names`);
      return list(items.toSpliced(at, 1));
    }
  }
}

function computed(
  compute: (a: Num, b: Num) => Num,
  before: Value,
  op: Operation,
  value: Value,
  key: string,
): Num {
  if (!isNum(before)) return refuse("effect", `${quoted(key)} is not a number, so it has no \`${op}\``);
  if (!isNum(value)) return refuse("effect", `the value of \`${op}\` of ${quoted(key)} is not a number`);
  const result = compute(before, value);
  checkNumber(result);
  return result;
}

function listAt(before: Value, op: Operation, key: string): readonly Value[] {
  return isList(before) ? before : refuse("effect", `${quoted(key)} is not a list, so it has no \`${op}\``);
}
