/**
 * A part of JSON Schema (2020-12) that is quick to check and has no surprises. A keyword that is not known here is
 * an error when the policy is read, never something skipped. Part of what must be trusted.
 */
import { quoted } from "../../ir/json/quoted.ts";
import { defaultLimits } from "../../ir/limits.ts";
import { compare, divide, type Num } from "../../ir/number.ts";
import { Automaton } from "../../ir/regular/automaton.ts";
import { readPattern } from "../../ir/regular/pattern.ts";
import { isList, isNum, isRecord, type Value } from "../../ir/value.ts";
import { refuse } from "../problem.ts";
import { canonicalText } from "../values/canonical.ts";
import { Fields } from "../values/fields.ts";
import { at, each, type ReadRule, type Violation } from "./rule.ts";

export const jsonSchema: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const judge = compiled(fields.required("schema"));
  return { state: at(key, missing, (value) => judge(value, quoted(key))) };
};

type Judge = (value: Value, where: string) => Violation;
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
  const definitions = named === undefined ? [] : new Fields(named, "`$defs`").entries();
  let count = 0;
  const compile = (schema: Value, within: readonly string[]): Judge => {
    if (++count > most) refuse("limit", `a schema is made of more than ${most} others`);
    if (schema === true) return () => undefined;
    if (schema === false) return (_, where) => `${where} may not be there`;
    const fields = new Fields(schema, "a schema");
    for (const note of notes) fields.optional(note);
    if (schema === root) fields.optional("$defs");
    if (fields.optional("format") !== undefined)
      refuse("shape", "`format` of a schema is a note that nothing checks; say it with `pattern`");
    const inner: Compile = (one) => compile(one, within);
    const judges = readers.flatMap((read) => read(fields, inner));
    const ref = fields.optional("$ref");
    if (ref !== undefined) {
      const name = typeof ref === "string" ? /^#\/\$defs\/([^/~%]+)$/.exec(ref)?.[1] : undefined;
      const found = definitions.find(([one]) => one === name);
      if (name === undefined || found === undefined)
        return refuse("shape", "`$ref` of a schema is not `#/$defs/…` with a name that is there");
      if (within.includes(name)) refuse("shape", `the schema ${quoted(name)} refers to itself`);
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
    if (!types.some((type) => type === name)) refuse("shape", "`type` of a schema is not a type of JSON");
  }
  return [
    (value, where) =>
      names.some((name) => typesOf(value).some((type) => type === name))
        ? undefined
        : `${where} has a wrong type`,
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
  return (value, where) =>
    texts.has(canonicalText(value)) ? undefined : `${where} has a value that is not allowed`;
}

function numberJudges(fields: Fields): Judge[] {
  const bound = (name: string, holds: (value: Num, limit: Num) => boolean): Judge[] => {
    const limit = fields.optional(name);
    if (limit === undefined) return [];
    if (!isNum(limit)) return refuse("shape", `\`${name}\` of a schema is not a number`);
    if (name === "multipleOf" && compare(limit, 0n) <= 0)
      refuse("shape", "`multipleOf` of a schema is not positive");
    return [
      (value, where) => (!isNum(value) || holds(value, limit) ? undefined : `${where} breaks \`${name}\``),
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
      (value, where) => {
        const size = sizeOf(value);
        return size === undefined || size * sign <= limit * sign ? undefined : `${where} breaks \`${name}\``;
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
  if (typeof text !== "string") return refuse("shape", "`pattern` of a schema is not a text");
  const read = readPattern(text, { most: defaultLimits.patternSize });
  if (!read.ok) return refuse("shape", `\`pattern\` of a schema cannot be used: ${read.problem.message}`);
  const automaton = new Automaton(read.language);
  return [
    (value, where) => {
      if (typeof value !== "string") return undefined;
      if (value.length * automaton.weight > patternWork) return `${where} is too long for its \`pattern\``;
      return automaton.accepts(value) ? undefined : `${where} breaks \`pattern\``;
    },
  ];
}

function arrayJudges(fields: Fields, compile: Compile): Judge[] {
  const items = fields.optional("items");
  const unique = fields.optional("uniqueItems");
  const judges: Judge[] = [];
  if (items !== undefined) {
    const judge = compile(items);
    judges.push((value, where) =>
      isList(value) ? firstOf(value, (item, i) => judge(item, `${where}[${i}]`)) : undefined,
    );
  }
  if (unique !== undefined && typeof unique !== "boolean")
    refuse("shape", "`uniqueItems` of a schema is not a boolean");
  if (unique === true) {
    judges.push((value, where) =>
      isList(value) && new Set(value.map(canonicalText)).size < value.length
        ? `${where} holds something twice`
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
      : new Fields(given, "`properties`").entries().map(([name, one]) => [name, compile(one)]),
  );
  const required = fields.optional("required") === undefined ? [] : fields.list("required");
  if (required.some((name) => typeof name !== "string"))
    refuse("shape", "`required` of a schema is not a list of names");
  const others = fields.optional("additionalProperties");
  const judgeOther = others === undefined ? undefined : compile(others);
  return [
    (value, where) => {
      if (!isRecord(value)) return undefined;
      const absent = required.find((name) => !Object.hasOwn(value.fields, String(name)));
      if (absent !== undefined) return `${where} has no ${quoted(String(absent))}`;
      return firstOf(Object.entries(value.fields), ([name, field]) => {
        const judge = properties.get(name) ?? judgeOther;
        return judge?.(field, `${where}.${quoted(name)}`);
      });
    },
  ];
}

function combined(fields: Fields, compile: Compile): Judge[] {
  const judges: Judge[] = [];
  const schemas = (name: string) =>
    fields.optional(name) === undefined ? undefined : fields.list(name).map((one) => compile(one));
  const [all, any, one] = [schemas("allOf"), schemas("anyOf"), schemas("oneOf")];
  const holding = (of: readonly Judge[], value: Value, where: string) =>
    of.filter((judge) => judge(value, where) === undefined).length;
  if (all !== undefined) judges.push(each(all));
  if (any !== undefined) {
    judges.push((value, where) =>
      holding(any, value, where) > 0 ? undefined : `${where} fits none of \`anyOf\``,
    );
  }
  if (one !== undefined) {
    judges.push((value, where) =>
      holding(one, value, where) === 1 ? undefined : `${where} does not fit one of \`oneOf\``,
    );
  }
  const not = fields.optional("not");
  if (not !== undefined) {
    const judge = compile(not);
    judges.push((value, where) => (judge(value, where) === undefined ? `${where} fits \`not\`` : undefined));
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
