/** Values for a wish, the likeliest first. */
import {
  add,
  isNum,
  isOption,
  list,
  multiply,
  type Num,
  negate,
  some,
  type Type,
  type Value,
} from "../../../ir/index.ts";
import type { Chance } from "../random/chance.ts";
import type { Hints } from "../random/hints.ts";
import { numberText } from "../random/json-text.ts";
import type { Constants, Values } from "../random/values.ts";
import { resized } from "./tape.ts";
import type { Change } from "./wishes.ts";

/** @param hints those of the place, for values that are made up */
export function candidatesFor(
  { place, wish }: Change,
  values: Values,
  chance: Chance,
  constants: Constants,
  hints: Hints | undefined,
): readonly (Value | undefined)[] {
  const { type, value: held } = place;
  switch (wish.kind) {
    case "value":
      return asType(wish.value, type);
    case "present":
      return [values.value(type, hints)];
    case "absent":
      return type.kind === "json" ? [undefined, null] : [undefined];
    case "length": {
      if (held === undefined) return [values.value(type, hints)];
      const inner = isOption(held) && held.kind === "some" ? held.value : held;
      const make = () => (type.kind === "list" ? values.value(type.element, hints?.element) : undefined);
      const made = resized(inner, type, wish.length, wish.isFresh ?? chance.odds(50), chance, make);
      return made === undefined ? [] : [made];
    }
    case "different":
      return held === undefined ? [values.value(type, hints)] : others(held, type, values, chance, constants);
  }
}

/** The value as one of the type, where it can be taken for one. */
function asType(value: Value, type: Type): readonly Value[] {
  if (isNum(value)) {
    if (type.kind === "string") return [numberText(value)];
    if (type.kind === "int" && typeof value !== "bigint") {
      const down = value.num / value.den;
      return [down, down + 1n];
    }
  }
  if (type.kind === "option") return [some(value)];
  if (type.kind === "list" && !Array.isArray(value)) return [list([value])];
  if (type.kind === "int" && typeof value === "string" && /^-?\d{1,15}$/.test(value)) return [BigInt(value)];
  return [value];
}

function others(
  held: Value,
  type: Type,
  values: Values,
  chance: Chance,
  { texts, numbers }: Constants,
): readonly Value[] {
  if (typeof held === "boolean") return [!held];
  if (type.kind === "enum") {
    const rest = type.values.filter((one) => one !== held);
    const first = chance.pick(rest);
    return first === undefined ? [] : [first];
  }
  if (isNum(held)) {
    const near: readonly Num[] = [
      add(held, 1n),
      add(held, -1n),
      0n,
      negate(held),
      multiply(held, 2n),
      ...numbers,
    ];
    return [chance.pick(near) ?? 0n, add(held, 1n)];
  }
  if (typeof held === "string") {
    const near = [`${held}x`, `x${held}`, "", "a", "b", held.toUpperCase(), ` ${held} `, ...texts];
    return [chance.pick(near.filter((one) => one !== held)) ?? "x"];
  }
  return [values.value(type, undefined)];
}
