/** Rules on numbers, lists, texts by length, and the presence of keys. Part of what must be trusted. */
import { quoted } from "../../ir/json/quoted.ts";
import { compare, decimalText, type Num } from "../../ir/number.ts";
import { isList, isNum, type Value } from "../../ir/value.ts";
import { refuse } from "../problem.ts";
import { get } from "../trie.ts";
import { canonicalText, sameValue } from "../values/canonical.ts";
import type { Fields } from "../values/fields.ts";
import { readAmount } from "../values/units.ts";
import { at, each, type ReadRule, type Rule, type Violation } from "./rule.ts";

/** A counter that effects may only increment, with a highest value. */
export const rateLimit: ReadRule = (fields, missing) => {
  const rule = ceiling(fields, missing);
  const key = fields.name("key");
  return { ...rule, change: monotone(key, 1).change, counters: [key] };
};

export const ceiling: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const max = amount(fields, "max");
  return { state: at(key, missing, (value) => numeric(key, value, (number) => above(key, number, max))) };
};

export const range: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const [min, max] = [amount(fields, "min"), amount(fields, "max")];
  if (compare(min, max) > 0) refuse("shape", "`min` is above `max`");
  return {
    state: at(key, missing, (value) =>
      numeric(key, value, (number) =>
        compare(number, min) < 0 ? `${quoted(key)} is below \`${text(min)}\`` : above(key, number, max),
      ),
    ),
  };
};

export const monotoneIncreasing: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return { state: at(key, missing, (value) => numeric(key, value, () => undefined)), ...monotone(key, 1) };
};

export const monotoneDecreasing: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return { state: at(key, missing, (value) => numeric(key, value, () => undefined)), ...monotone(key, -1) };
};

export const listLength: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const max = fields.count("max");
  return {
    state: at(key, missing, (value) => {
      if (!isList(value)) return `${quoted(key)} is not a list`;
      return value.length > max ? `${quoted(key)} has more than ${max} items` : undefined;
    }),
  };
};

export const noDuplicates: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return {
    state: at(key, missing, (value) => {
      if (!isList(value)) return `${quoted(key)} is not a list`;
      const seen = new Set(value.map(canonicalText));
      return seen.size < value.length ? `${quoted(key)} holds something twice` : undefined;
    }),
  };
};

export const stringLength: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const max = fields.count("max");
  return {
    state: at(key, missing, (value) => {
      if (typeof value !== "string") return `${quoted(key)} is not a string`;
      return value.length > max ? `${quoted(key)} is longer than ${max} code units` : undefined;
    }),
  };
};

export const allowedValues: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const allowed = new Set(fields.list("values").map(canonicalText));
  return {
    state: at(key, missing, (value) =>
      allowed.has(canonicalText(value)) ? undefined : `${quoted(key)} has a value that is not allowed`,
    ),
  };
};

export const requiredKeys: ReadRule = (fields, missing) => ({
  state: each(fields.names("keys").map((key) => at(key, missing, () => undefined))),
});

export const readOnly: ReadRule = (fields, missing) => {
  const keys = fields.names("keys");
  return {
    state: each(keys.map((key) => at(key, missing, () => undefined))),
    change: each(
      keys.map(
        (key): NonNullable<Rule["change"]> =>
          (before, after) =>
            sameValue(get(before, key), get(after, key)) ? undefined : `${quoted(key)} may only be read`,
      ),
    ),
  };
};

export const noDelete: ReadRule = (fields, missing) => {
  const keys = fields.names("keys");
  return {
    state: each(keys.map((key) => at(key, missing, () => undefined))),
    change: each(
      keys.map(
        (key): NonNullable<Rule["change"]> =>
          (before, after) =>
            get(before, key) !== undefined && get(after, key) === undefined
              ? `${quoted(key)} may not be deleted`
              : undefined,
      ),
    ),
  };
};

function monotone(key: string, sign: 1 | -1): Required<Pick<Rule, "change">> {
  return {
    change: (before, after) => {
      const [old, now] = [get(before, key), get(after, key)];
      if (old === undefined || old === now) return undefined;
      if (now === undefined) return `${quoted(key)} may not be deleted`;
      if (!isNum(old) || !isNum(now)) return `${quoted(key)} is not a number`;
      return compare(now, old) * sign < 0
        ? `${quoted(key)} may only go ${sign > 0 ? "up" : "down"}`
        : undefined;
    },
  };
}

function above(key: string, number: Num, max: Num): Violation {
  return compare(number, max) > 0 ? `${quoted(key)} is above \`${text(max)}\`` : undefined;
}

function numeric(key: string, value: Value, judge: (number: Num) => Violation): Violation {
  return isNum(value) ? judge(value) : `${quoted(key)} is not a number`;
}

function amount(fields: Fields, name: string): Num {
  return readAmount(fields.required(name), `\`${name}\` of ${fields.what}`);
}

function text(number: Num): string {
  return decimalText(number) ?? "";
}
