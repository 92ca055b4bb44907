/**
 * A part of JSON Schema (2020-12) that is quick to check and has no surprises. A keyword that is not known here is
 * an error when the policy is read, never something skipped. Part of what must be trusted.
 */
import {
  Automaton,
  compare,
  defaultLimits,
  divide,
  isList,
  isNum,
  isRecord,
  type Num,
  readPattern,
  type Value,
} from "../../ir/index.ts";
import { refuse } from "../problem.ts";
import { type Place, why } from "../reasons.ts";
import { canonicalText } from "../values/canonical.ts";
import { Fields } from "../values/fields.ts";
import { at, each, type ReadRule, type Violation } from "./rule.ts";

export const jsonSchema: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const judge = compiled(fields.required("schema"));
  return { state: at(key, missing, (value) => judge(value, [key])) };
};

type Judge = (value: Value, place: Place) => Violation;
type Compile = (schema: Value) => Judge;

const types = ["null", "boolean", "number", "integer", "string", "array", "object"] as const;

/** Keywords that say nothing about a value. */
const notes = ["$schema", "$id", "$comment", "title", "description", "default", "examples"];

/** LIMIT: schemas within one, those that `$ref` names counted each time that it does. */
const most = 10_000;

/** LIMIT: code units of a text times the weight of its pattern. */
const patternWork = 5_000_000;

/** A schema with what it refers to put in its place; one that comes back to itself would have no end. */
function compiled(root: Value): Judge {
  const named = isRecord(root) ? root.fields.$defs : undefined;
  const definitions = named === undefined ? [] : new Fields(named, "definitions").entries();
  let count = 0;
  const compile = (schema: Value, within: readonly string[]): Judge => {
    if (++count > most) refuse("schema of too many", { most });
    if (schema === true) return () => undefined;
    if (schema === false) return (_, place) => why("may not be there", { place });
    const fields = new Fields(schema, "schema");
    for (const note of notes) fields.optional(note);
    if (schema === root) fields.optional("$defs");
    if (fields.optional("format") !== undefined) refuse("format of a schema");
    const inner: Compile = (one) => compile(one, within);
    const judges = readers.flatMap((read) => read(fields, inner));
    const ref = fields.optional("$ref");
    if (ref !== undefined) {
      const name = typeof ref === "string" ? /^#\/\$defs\/([^/~%]+)$/.exec(ref)?.[1] : undefined;
      const found = definitions.find(([one]) => one === name);
      if (name === undefined || found === undefined) return refuse("reference of a schema");
      if (within.includes(name)) refuse("schema of itself", { name });
      judges.push(compile(found[1], [...within, name]));
    }
    fields.end();
    return each(judges);
  };
  // What is defined and not used must make sense all the same.
  for (const [name, schema] of definitions) compile(schema, [name]);
  return compile(root, []);
}

function typeJudge(fields: Fields): Judge[] {
  const given = fields.optional("type");
  if (given === undefined) return [];
  const names = isList(given) ? given : [given];
  for (const name of names) {
    if (!types.some((type) => type === name)) refuse("type of a schema");
  }
  return [
    (value, place) =>
      names.some((name) => typesOf(value).some((type) => type === name))
        ? undefined
        : why("wrong type", { place }),
  ];
}

function typesOf(value: Value): readonly (typeof types)[number][] {
  if (value === null) return ["null"];
  if (typeof value === "boolean") return ["boolean"];
  if (typeof value === "string") return ["string"];
  if (isNum(value)) return typeof value === "bigint" ? ["number", "integer"] : ["number"];
  return isList(value) ? ["array"] : ["object"];
}

function valueJudges(fields: Fields): Judge[] {
  const constant = fields.optional("const");
  const listed = fields.optional("enum");
  const judges: Judge[] = [];
  if (constant !== undefined) judges.push(among([constant]));
  if (listed !== undefined) judges.push(among(fields.list("enum")));
  return judges;
}

function among(values: readonly Value[]): Judge {
  const texts = new Set(values.map(canonicalText));
  return (value, place) => (texts.has(canonicalText(value)) ? undefined : why("not allowed", { place }));
}

function numberJudges(fields: Fields): Judge[] {
  const bound = (name: string, holds: (value: Num, limit: Num) => boolean): Judge[] => {
    const limit = fields.optional(name);
    if (limit === undefined) return [];
    if (!isNum(limit)) return refuse("word of a schema", { word: name, kind: "number" });
    if (name === "multipleOf" && compare(limit, 0n) <= 0)
      refuse("not positive", { what: ["field", name, "schema"] });
    return [
      (value, place) =>
        !isNum(value) || holds(value, limit) ? undefined : why("breaks", { place, word: name }),
    ];
  };
  return [
    ...bound("minimum", (value, limit) => compare(value, limit) >= 0),
    ...bound("maximum", (value, limit) => compare(value, limit) <= 0),
    ...bound("exclusiveMinimum", (value, limit) => compare(value, limit) > 0),
    ...bound("exclusiveMaximum", (value, limit) => compare(value, limit) < 0),
    ...bound("multipleOf", (value, limit) => typeof divide(value, limit) === "bigint"),
  ];
}

function sizeJudges(fields: Fields): Judge[] {
  const bound = (name: string, sizeOf: (value: Value) => number | undefined, sign: 1 | -1): Judge[] => {
    const limit = fields.optionalCount(name);
    if (limit === undefined) return [];
    return [
      (value, place) => {
        const size = sizeOf(value);
        return size === undefined || size * sign <= limit * sign
          ? undefined
          : why("breaks", { place, word: name });
      },
    ];
  };
  const textSize = (value: Value) => (typeof value === "string" ? [...value].length : undefined);
  const listSize = (value: Value) => (isList(value) ? value.length : undefined);
  const fieldCount = (value: Value) => (isRecord(value) ? Object.keys(value.fields).length : undefined);
  return [
    ...bound("minLength", textSize, -1),
    ...bound("maxLength", textSize, 1),
    ...bound("minItems", listSize, -1),
    ...bound("maxItems", listSize, 1),
    ...bound("minProperties", fieldCount, -1),
    ...bound("maxProperties", fieldCount, 1),
  ];
}

/** A pattern of the Effect IR: what a regular expression means without flags, in time linear in the text. */
function patternJudge(fields: Fields): Judge[] {
  const text = fields.optional("pattern");
  if (text === undefined) return [];
  if (typeof text !== "string") return refuse("not a text", { what: ["field", "pattern", "schema"] });
  const read = readPattern(text, { most: defaultLimits.patternSize });
  if (!read.ok) return refuse("pattern of a schema", { why: read.problem.message });
  const automaton = new Automaton(read.value);
  return [
    (value, place) => {
      if (typeof value !== "string") return undefined;
      if (value.length * automaton.weight > patternWork) return why("too long for its pattern", { place });
      return automaton.accepts(value) ? undefined : why("breaks", { place, word: "pattern" });
    },
  ];
}

function arrayJudges(fields: Fields, compile: Compile): Judge[] {
  const items = fields.optional("items");
  const unique = fields.optional("uniqueItems");
  const judges: Judge[] = [];
  if (items !== undefined) {
    const judge = compile(items);
    judges.push((value, place) =>
      isList(value) ? firstOf(value, (item, i) => judge(item, [...place, i])) : undefined,
    );
  }
  if (unique !== undefined && typeof unique !== "boolean")
    refuse("word of a schema", { word: "uniqueItems", kind: "boolean" });
  if (unique === true) {
    judges.push((value, place) =>
      isList(value) && new Set(value.map(canonicalText)).size < value.length
        ? why("holds twice", { place })
        : undefined,
    );
  }
  return judges;
}

function objectJudges(fields: Fields, compile: Compile): Judge[] {
  const given = fields.optional("properties");
  const properties = new Map(
    given === undefined
      ? []
      : new Fields(given, "properties").entries().map(([name, one]) => [name, compile(one)]),
  );
  const required = fields.optional("required") === undefined ? [] : fields.list("required");
  if (required.some((name) => typeof name !== "string")) refuse("required of a schema");
  const others = fields.optional("additionalProperties");
  const judgeOther = others === undefined ? undefined : compile(others);
  return [
    (value, place) => {
      if (!isRecord(value)) return undefined;
      const absent = required.find((name) => !Object.hasOwn(value.fields, String(name)));
      if (absent !== undefined) return why("has no field", { place, field: String(absent) });
      return firstOf(Object.entries(value.fields), ([name, field]) => {
        const judge = properties.get(name) ?? judgeOther;
        return judge?.(field, [...place, name]);
      });
    },
  ];
}

function combined(fields: Fields, compile: Compile): Judge[] {
  const judges: Judge[] = [];
  const schemas = (name: string) =>
    fields.optional(name) === undefined ? undefined : fields.list(name).map((one) => compile(one));
  const [all, any, one] = [schemas("allOf"), schemas("anyOf"), schemas("oneOf")];
  const holding = (of: readonly Judge[], value: Value, place: Place) =>
    of.filter((judge) => judge(value, place) === undefined).length;
  if (all !== undefined) judges.push(each(all));
  if (any !== undefined) {
    judges.push((value, place) => (holding(any, value, place) > 0 ? undefined : why("fits none", { place })));
  }
  if (one !== undefined) {
    judges.push((value, place) =>
      holding(one, value, place) === 1 ? undefined : why("fits not one", { place }),
    );
  }
  const not = fields.optional("not");
  if (not !== undefined) {
    const judge = compile(not);
    judges.push((value, place) =>
      judge(value, place) === undefined ? why("fits what it may not", { place }) : undefined,
    );
  }
  return judges;
}

function firstOf<T>(items: readonly T[], judge: (item: T, i: number) => Violation): Violation {
  for (const [i, item] of items.entries()) {
    const violation = judge(item, i);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

const readers: readonly ((fields: Fields, compile: Compile) => Judge[])[] = [
  typeJudge,
  valueJudges,
  numberJudges,
  sizeJudges,
  patternJudge,
  arrayJudges,
  objectJudges,
  combined,
];
