/** JSON values: any value as one, and what is inside one. Part of what must be trusted. */

import { withObjects } from "../convert/objects.ts";
import type { Expr } from "../document.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { bool, json, listOf, optionOf, real, recordOf, string, type Type } from "../type.ts";
import {
  isList,
  isNum,
  isOption,
  isRecord,
  jsonObject,
  list,
  none,
  type RecordValue,
  some,
  type Value,
} from "../value.ts";
import { fromJsonText, jsonText, plainText } from "./json-text.ts";
import {
  asList,
  asString,
  asValue,
  call,
  type Operator,
  opaque,
  smtTerm,
  strict,
  variable,
} from "./operator.ts";

const T = variable("T");
const entry = recordOf([
  { name: "key", type: string },
  { name: "value", type: json },
]);
const kinds: Type = { kind: "enum", values: ["null", "bool", "number", "string", "list", "record"] };

export const jsonOperators: readonly Operator[] = [
  {
    name: "json",
    meaning:
      "the operand as a JSON value; an absent option becomes null, a present one what it holds. Fields of a record and keys of a map are in the order of their names",
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
  {
    name: "jsonKeys",
    meaning:
      "the names of the fields, those that look like indices first, the others in their order; an empty list for what has no fields",
    syntax: call,
    signatures: [{ params: [json], result: listOf(string) }],
    evaluate: strict(([a], { meter }) => {
      const value = asValue(a);
      const names = isRecord(value) ? Object.keys(value.fields) : [];
      meter.list(names.length);
      return list(names);
    }),
    smt: opaque,
  },
  {
    name: "jsonObject",
    meaning:
      "the JSON object with these fields in this order; a name that is given again keeps its place and takes the later value",
    syntax: call,
    signatures: [{ params: [listOf(entry)], result: json }],
    evaluate: strict(([a], { meter }) => {
      const entries = asList(a).filter(isRecord);
      meter.list(entries.length);
      return jsonObject(entries.map((one) => [asString(one.fields.key), one.fields.value ?? null] as const));
    }),
    smt: opaque,
  },
  {
    name: "parseJson",
    meaning:
      "the JSON value of the text, with each number as the JavaScript number nearest to it, or none for a text that is no JSON. The run stops at a number beyond all JavaScript numbers",
    syntax: call,
    signatures: [{ params: [string], result: optionOf(json) }],
    evaluate: strict(([a], { meter }) => {
      const found = fromJsonText(asString(a), meter);
      return found === undefined ? none : some(found);
    }),
    smt: opaque,
  },
  {
    name: "jsonText",
    meaning:
      "the JSON text, on one line or with each level indented by the second operand; a number is written as the JavaScript number nearest to it",
    syntax: call,
    signatures: [
      { params: [json], result: string },
      { params: [json, string], result: string },
    ],
    evaluate: strict(([a, indent], { meter }) =>
      jsonText(asValue(a), indent === undefined ? "" : asString(indent), meter),
    ),
    smt: opaque,
  },
  {
    name: "jsonPlainText",
    meaning:
      'a string as it is, a number as `textOf` writes it, `true`, `false` or `null`; elements of a list joined by commas; "[object Object]" for a record',
    syntax: call,
    signatures: [{ params: [json], result: string }],
    evaluate: strict(([a], { meter }) => plainText(asValue(a), meter)),
    smt: opaque,
  },
  {
    name: "oneOf",
    meaning:
      "the first operand if it is one of the others, which are string literals, and else the second: a value of their enum",
    syntax: call,
    signatures: [{ params: [string, string], variadic: true, result: string }],
    resultOf: ([, ...words]) => enumOf(words),
    evaluate: strict(([given, ...words], { meter }) => {
      meter.charge(words.length);
      return words.includes(asString(given)) ? asString(given) : asString(words[0]);
    }),
    smt: smtTerm(([given, ...words]) =>
      words.reduce((rest, word) => `(ite (= ${given} ${word}) ${word} ${rest})`, words[0] ?? ""),
    ),
  },
];

function enumOf(words: readonly Expr[]): Type | undefined {
  const values = words.flatMap((word) => (word.kind === "string" ? [word.value] : []));
  return values.length === words.length && new Set(values).size === values.length
    ? { kind: "enum", values }
    : undefined;
}

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
 * Returns the value as a JSON value: an absent option is null, a present one is what it holds.
 * LIMIT: types bound how deep other values are; `json` has no bound of its own, so it is given one here.
 * Parts that are shared stay shared: a copy of each would be exponentially larger.
 */
export function toJson(value: Value, meter: Meter): Value {
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
    return jsonObject(
      namesInOrder(one).map((name) => [name, convert(one.fields[name] ?? null, depth + 1)] as const),
    );
  };
  return convert(value, 1);
}

/** SOUNDNESS: equal records must give equal objects, and records are equal whatever the order of their fields. */
function namesInOrder(of: RecordValue): string[] {
  const names = Object.keys(of.fields);
  return of.ordered ? names : names.sort();
}

function kindOf(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (isNum(value)) return "number";
  return isList(value) ? "list" : "record";
}
