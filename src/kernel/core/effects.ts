/**
 * Effects on the state: applied in order, each seeing the one before. A wrong operand is refused; what is absent is
 * not zero, and null is not absent. Part of what must be trusted.
 */
import { add, isList, isNum, list, multiply, type Num, subtract, type Value } from "../../ir/index.ts";
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
    if (before === undefined) refuse("nothing to delete", { key });
    return remove(data, key);
  }
  if (value === undefined) return refuse("effect without a value", { key, op });
  if (op === "set") {
    if (before === undefined && data.size >= limits.keys) refuse("too many keys", { most: limits.keys });
    return set(data, key, value);
  }
  if (before === undefined) return refuse("nothing to change", { key, op });
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
      if (at < 0) refuse("nothing to remove", { key });
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
  if (!isNum(before)) return refuse("number expected", { key, op });
  if (!isNum(value)) return refuse("number wanted", { key, op });
  const result = compute(before, value);
  checkNumber(result);
  return result;
}

function listAt(before: Value, op: Operation, key: string): readonly Value[] {
  return isList(before) ? before : refuse("list expected", { key, op });
}
