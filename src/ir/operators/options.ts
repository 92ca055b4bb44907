/** Options, and opaque JSON values. Part of what must be trusted. */
import { withObjects } from "../convert/objects.ts";
import { defaultOf } from "../eval/default-value.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { bool, json, listOf, optionOf, real, string, type Type } from "../type.ts";
import { isList, isNum, isOption, isRecord, list, none, record, some, type Value } from "../value.ts";
import {
  asOption,
  asString,
  asValue,
  call,
  type Operator,
  opaque,
  optionPattern,
  strict,
  variable,
} from "./operator.ts";

const T = variable("T");
const kinds: Type = { kind: "enum", values: ["null", "bool", "number", "string", "list", "record"] };

export const options: readonly Operator[] = [
  {
    name: "some",
    meaning: "the option that holds the operand",
    syntax: call,
    signatures: [{ params: [T], result: optionPattern(T) }],
    evaluate: strict(([a]) => some(asValue(a))),
    smt: opaque,
  },
  {
    name: "isSome",
    meaning: "true when the option holds a value",
    syntax: call,
    signatures: [{ params: [optionPattern(T)], result: bool }],
    evaluate: strict(([a]) => asOption(a).kind === "some"),
    smt: opaque,
  },
  {
    name: "value",
    meaning:
      "what the option holds; for none the plainest value of its type: false, 0, an empty string, list or option, the first of an enum, null",
    syntax: call,
    signatures: [{ params: [optionPattern(T)], result: T }],
    evaluate: strict(([a], { type }) => {
      const option = asOption(a);
      return option.kind === "some" ? option.value : defaultOf(type);
    }),
    isDefined: ([a]) => asOption(a).kind === "some",
    smt: opaque,
  },
  {
    name: "orElse",
    meaning: "what the option holds, or the second operand for none",
    syntax: call,
    signatures: [{ params: [optionPattern(T), T], result: T }],
    evaluate: strict(([a, b]) => {
      const option = asOption(a);
      return option.kind === "some" ? option.value : asValue(b);
    }),
    smt: opaque,
  },
  {
    name: "json",
    meaning:
      "the operand as an opaque JSON value; an absent option becomes null, a present one what it holds",
    syntax: call,
    signatures: [{ params: [T], result: json }],
    evaluate: strict(([a], { meter, operandType }) =>
      toJson(operandType === undefined ? asValue(a) : withObjects(asValue(a), operandType(0)), meter),
    ),
    smt: opaque,
  },
  {
    name: "jsonKind",
    meaning: "what kind of JSON value it is",
    syntax: call,
    signatures: [{ params: [json], result: kinds }],
    evaluate: strict(([a]) => kindOf(asValue(a))),
    smt: opaque,
  },
  reader("jsonBool", "the boolean, or none for another kind", bool, (value) => typeof value === "boolean"),
  reader("jsonNumber", "the number, or none for another kind", real, isNum),
  reader("jsonString", "the string, or none for another kind", string, (value) => typeof value === "string"),
  reader("jsonItems", "the elements, or none for what is no list", listOf(json), isList),
  {
    name: "jsonField",
    meaning: "the field of that name, or none",
    syntax: call,
    signatures: [{ params: [json, string], result: optionOf(json) }],
    evaluate: strict(([a, name]) => {
      const value = asValue(a);
      const found = isRecord(value) ? value.fields[asString(name)] : undefined;
      return found === undefined ? none : some(found);
    }),
    smt: opaque,
  },
];

function reader(name: string, meaning: string, type: Type, accepts: (value: Value) => boolean): Operator {
  return {
    name,
    meaning,
    syntax: call,
    signatures: [{ params: [json], result: optionOf(type) }],
    evaluate: strict(([a]) => (accepts(asValue(a)) ? some(asValue(a)) : none)),
    smt: opaque,
  };
}

/**
 * LIMIT: types bound how deep other values are; `json` has no bound of its own, so it is given one here.
 * Parts that are shared stay shared: a copy of each would be exponentially larger.
 */
function toJson(value: Value, meter: Meter): Value {
  const done = new Map<Value, Value>();
  const convert = (one: Value, depth: number): Value => {
    if (typeof one !== "object" || one === null) return one;
    const before = done.get(one);
    if (before !== undefined) return before;
    meter.charge(1);
    if (depth > meter.limits.depth) {
      throw new LimitReached(
        "FC1402",
        `a JSON value would be nested more than ${meter.limits.depth} levels deep`,
      );
    }
    const converted = parts(one, depth);
    done.set(one, converted);
    return converted;
  };
  const parts = (one: Value, depth: number): Value => {
    if (isList(one)) return list(one.map((item) => convert(item, depth + 1)));
    if (isOption(one)) return one.kind === "none" ? null : convert(one.value, depth);
    if (!isRecord(one)) return one;
    return record(
      Object.entries(one.fields).map(([name, field]) => [name, convert(field, depth + 1)] as const),
    );
  };
  return convert(value, 1);
}

function kindOf(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (isNum(value)) return "number";
  return isList(value) ? "list" : "record";
}
