/** Rules on numbers, lists, texts by length, and the presence of keys. Part of what must be trusted. */
import { compare, decimalText, isList, isNum, type Num, type Value } from "../../ir/index.ts";
import { isSince } from "../core/form.ts";
import { refuse } from "../problem.ts";
import { why } from "../reasons.ts";
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
  if (compare(min, max) > 0) refuse("min above max");
  return {
    state: at(key, missing, (value) =>
      numeric(key, value, (number) =>
        compare(number, min) < 0 ? why("below", { key, min: text(min) }) : above(key, number, max),
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
      if (!isList(value)) return why("is no list", { key });
      return value.length > max ? why("more items", { key, max }) : undefined;
    }),
  };
};

export const noDuplicates: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return {
    state: at(key, missing, (value) => {
      if (!isList(value)) return why("is no list", { key });
      const seen = new Set(value.map(canonicalText));
      return seen.size < value.length ? why("holds twice", { place: [key] }) : undefined;
    }),
  };
};

export const stringLength: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const max = fields.count("max");
  return {
    state: at(key, missing, (value) => {
      if (typeof value !== "string") return why("is no string", { key });
      return value.length > max ? why("longer", { key, max }) : undefined;
    }),
  };
};

export const allowedValues: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const allowed = new Set(fields.list("values").map(canonicalText));
  return {
    state: at(key, missing, (value) =>
      allowed.has(canonicalText(value)) ? undefined : why("not allowed", { place: [key] }),
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
            sameValue(get(before, key), get(after, key)) ? undefined : why("only read", { key }),
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
            deletion(key, get(before, key), get(after, key)),
      ),
    ),
  };
};

/** Nothing, and since form 3 null or a value of another kind, in the place of something. */
function deletion(key: string, old: Value | undefined, now: Value | undefined): Violation {
  if (old === undefined) return undefined;
  if (now === undefined || (isSince(3) && now === null && old !== null)) return why("never deleted", { key });
  return isSince(3) && kindOf(old) !== kindOf(now)
    ? why("keeps its kind", { key, kind: kindOf(old) })
    : undefined;
}

function kindOf(value: Value): "null" | "number" | "list" | "object" | "true or false" | "text" {
  if (value === null) return "null";
  if (isNum(value)) return "number";
  if (isList(value)) return "list";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "string" ? "text" : "object";
}

function monotone(key: string, sign: 1 | -1): Required<Pick<Rule, "change">> {
  return {
    change: (before, after) => {
      const [old, now] = [get(before, key), get(after, key)];
      if (old === undefined || old === now) return undefined;
      if (now === undefined) return why("never deleted", { key });
      if (!isNum(old) || !isNum(now)) return why("is no number", { key });
      if (compare(now, old) * sign >= 0) return undefined;
      return sign > 0 ? why("only goes up", { key }) : why("only goes down", { key });
    },
  };
}

function above(key: string, number: Num, max: Num): Violation {
  return compare(number, max) > 0 ? why("above", { key, max: text(max) }) : undefined;
}

function numeric(key: string, value: Value, judge: (number: Num) => Violation): Violation {
  return isNum(value) ? judge(value) : why("is no number", { key });
}

function amount(fields: Fields, name: string): Num {
  return readAmount(fields.required(name), ["field", name, fields.what]);
}

function text(number: Num): string {
  return decimalText(number) ?? "";
}
