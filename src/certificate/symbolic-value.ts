/**
 * Values that are not known yet, in the shape of their types: scalars are terms, and options, records and lists whose
 * elements are known one by one keep their parts.
 * Part of what must be trusted.
 */
import {
  fieldOf,
  hasNoValue,
  isList,
  isOption,
  isRecord,
  list,
  none,
  record,
  some,
  type Type,
  type Value,
} from "../ir/index.ts";
import { NotPlain, type Sort, type Term, type Terms } from "./encode.ts";

export type Plain =
  | { readonly kind: "term"; readonly term: Term }
  /** The value is relevant only if present; an option without a value is always absent. */
  | { readonly kind: "option"; readonly present: Term; readonly value?: Plain | undefined }
  | { readonly kind: "record"; readonly fields: ReadonlyMap<string, Part> }
  /** The elements that are present, in this order. */
  | { readonly kind: "list"; readonly items: readonly Part[] }
  | Many;

/** A list of any length. */
export interface Many {
  readonly kind: "many";
  /** Identity of sort `Thing`. INVARIANT: lists with the same id are equal. */
  readonly id: Term;
  readonly element: Type;
  readonly source?: Source;
}

/** Origin of a list's elements. Its functions are deterministic. */
export type Source =
  /** Elements of another list: those of which the condition holds, or some. */
  | { readonly kind: "part"; readonly of: Many; readonly holds?: (element: Plain) => Term }
  /** Made from each element of another list: one, or a list of them. */
  | { readonly kind: "each"; readonly of: Many; readonly make: (element: Plain) => Plain }
  | { readonly kind: "all"; readonly of: Many; readonly make: (element: Plain) => Plain }
  /** One list after the other. */
  | { readonly kind: "joined"; readonly parts: readonly Plain[] }
  | { readonly kind: "choice"; readonly condition: Term; readonly yes: Plain; readonly no: Plain };

export interface Part {
  readonly present: Term;
  readonly value: Plain;
}

export const plain = (term: Term): Plain => ({ kind: "term", term });

export function sortOf(type: Type): Sort | undefined {
  switch (type.kind) {
    case "bool":
      return "Bool";
    case "int":
      return "Int";
    case "real":
      return "Real";
    case "string":
    case "enum":
      return "String";
    case "json":
    case "map":
      return "Thing";
    case "list":
    case "option":
    case "record":
    case "never":
      return undefined;
  }
}

/** A value of the type made of what `leaf` gives for each of its scalars. */
export function shaped(
  terms: Terms,
  type: Type,
  leaf: (path: string, sort: Sort, type: Type) => Term,
  path = "",
): Plain {
  if (type.kind === "list") {
    if (hasNoValue(type.element)) return { kind: "list", items: [] };
    return { kind: "many", id: leaf(path, "Thing", type), element: type.element };
  }
  const sort = sortOf(type);
  if (sort !== undefined) return plain(leaf(path, sort, type));
  if (type.kind === "option") {
    if (hasNoValue(type.value)) return { kind: "option", present: terms.false };
    const present = leaf(`${path}?`, "Bool", { kind: "bool" });
    return { kind: "option", present, value: shaped(terms, type.value, leaf, `${path}!`) };
  }
  if (type.kind !== "record") throw new NotPlain("there is no value of its type");
  const fields = type.fields
    .filter((field) => !(field.optional && hasNoValue(field.type)))
    .map((field) => {
      // A length before each name, so that no two paths are written alike.
      const at = `${path}.${field.name.length}:${field.name}`;
      const present = field.optional ? leaf(`${at}?`, "Bool", { kind: "bool" }) : terms.true;
      return [field.name, { present, value: shaped(terms, field.type, leaf, at) }] as const;
    });
  return { kind: "record", fields: new Map(fields) };
}

/** A known value. */
export function known(terms: Terms, value: Value, type: Type): Plain {
  if (type.kind === "list" && isList(value))
    return {
      kind: "list",
      items: value.map((item) => ({ present: terms.true, value: known(terms, item, type.element) })),
    };
  if (type.kind === "option" && isOption(value)) {
    if (value.kind === "none") return { kind: "option", present: terms.false };
    return { kind: "option", present: terms.true, value: known(terms, value.value, type.value) };
  }
  if (type.kind === "record" && isRecord(value)) {
    const fields = Object.entries(value.fields).map(([name, field]) => {
      const declared = fieldOf(type, name);
      if (declared === undefined) throw new TypeError(`a record has no \`${name}\``);
      return [name, { present: terms.true, value: known(terms, field, declared.type) }] as const;
    });
    return { kind: "record", fields: new Map(fields) };
  }
  if (type.kind === "json") {
    if (value === null) return plain(terms.unknown("null", [], "Thing", "a JSON value"));
    return plain(terms.constant("Thing", "a JSON value"));
  }
  if (type.kind === "map") {
    const isEmpty = isList(value) && value.length === 0;
    return plain(
      isEmpty ? terms.unknown("no entries", [], "Thing", "a map") : terms.constant("Thing", "a map"),
    );
  }
  const sort = sortOf(type);
  if (sort === undefined) throw new TypeError(`no value of type ${type.kind}`);
  return plain(terms.literal(value, sort));
}

/** The value, if every part of it is known. */
export function knownValue(of: Plain): Value | undefined {
  switch (of.kind) {
    case "term":
      return of.term.value;
    case "many":
      return undefined;
    case "option": {
      if (of.present.value === false) return none;
      const held = of.present.value === true && of.value !== undefined ? knownValue(of.value) : undefined;
      return held === undefined ? undefined : some(held);
    }
    case "list": {
      const items = partsOf(of.items.map((part) => [undefined, part] as const));
      return items && list(items.map(([, value]) => value));
    }
    case "record": {
      const fields = partsOf([...of.fields]);
      return fields && record(fields);
    }
  }
}

function partsOf<K>(parts: readonly (readonly [K, Part])[]): (readonly [K, Value])[] | undefined {
  const found: (readonly [K, Value])[] = [];
  for (const [key, { present, value }] of parts) {
    if (present.value === false) continue;
    const held = present.value === true ? knownValue(value) : undefined;
    if (held === undefined) return undefined;
    found.push([key, held]);
  }
  return found;
}

export function merge(terms: Terms, condition: Term, yes: Plain, no: Plain): Plain {
  if (condition.value === true || yes === no) return yes;
  if (condition.value === false) return no;
  if (yes.kind === "term" && no.kind === "term") return plain(terms.ite(condition, yes.term, no.term));
  if (yes.kind === "option" && no.kind === "option") {
    const present = terms.ite(condition, yes.present, no.present);
    if (yes.value === undefined || no.value === undefined)
      return { kind: "option", present, value: yes.value ?? no.value };
    return { kind: "option", present, value: merge(terms, condition, yes.value, no.value) };
  }
  if (yes.kind === "record" && no.kind === "record") {
    const names = new Set([...yes.fields.keys(), ...no.fields.keys()]);
    const fields = new Map<string, Part>();
    for (const name of names) {
      const [a, b] = [yes.fields.get(name), no.fields.get(name)];
      const present = terms.ite(condition, a?.present ?? terms.false, b?.present ?? terms.false);
      if (a && b) fields.set(name, { present, value: merge(terms, condition, a.value, b.value) });
      else if (a ?? b) fields.set(name, { present, value: (a ?? b)?.value ?? plain(terms.false) });
    }
    return { kind: "record", fields };
  }
  if (yes.kind === "list" && no.kind === "list") return mergeLists(terms, condition, yes.items, no.items);
  return mergeMany(terms, condition, yes, no);
}

/** Lists of which one at least is of any length. */
function mergeMany(terms: Terms, condition: Term, yes: Plain, no: Plain): Plain {
  const both = [yes, no].flatMap((one) => (one.kind === "many" ? one : []));
  const [one, other] = both;
  if (one === undefined) throw new TypeError(`a ${yes.kind} and a ${no.kind} have no type in common`);
  if (one.id.text === other?.id.text) return one;
  const id =
    other === undefined
      ? terms.constant("Thing", "a choice between lists")
      : terms.ite(condition, one.id, other.id);
  return { kind: "many", id, element: one.element, source: { kind: "choice", condition, yes, no } };
}

function mergeLists(terms: Terms, condition: Term, yes: readonly Part[], no: readonly Part[]): Plain {
  const items: Part[] = [];
  if (yes.length === no.length && [...yes, ...no].every(({ present }) => present.value === true)) {
    yes.forEach(({ value }, i) => {
      const other = no[i];
      if (other) items.push({ present: terms.true, value: merge(terms, condition, value, other.value) });
    });
    return { kind: "list", items };
  }
  const when = (guard: Term) => (part: Part) => ({ ...part, present: terms.and(guard, part.present) });
  return { kind: "list", items: [...yes.map(when(condition)), ...no.map(when(terms.not(condition)))] };
}

export function equalPlain(terms: Terms, a: Plain, b: Plain): Term {
  if (a.kind === "term" && b.kind === "term") return terms.equal(a.term, b.term);
  if (a.kind === "option" && b.kind === "option") return equalParts(terms, a, b);
  if (a.kind === "record" && b.kind === "record") {
    const names = new Set([...a.fields.keys(), ...b.fields.keys()]);
    const absent = { present: terms.false };
    return terms.all(
      [...names].map((name) => equalParts(terms, a.fields.get(name) ?? absent, b.fields.get(name) ?? absent)),
    );
  }
  if (a.kind === "list" && b.kind === "list") {
    const items = [...a.items, ...b.items];
    if (items.every(({ present }) => present.value === true)) {
      if (a.items.length !== b.items.length) return terms.false;
      return terms.all(
        a.items.map((item, i) => equalParts(terms, item, b.items[i] ?? { present: terms.false })),
      );
    }
  }
  if (a.kind === "many" && b.kind === "many") return terms.equal(a.id, b.id);
  return terms.constant("Bool", "whether two lists are equal");
}

interface Perhaps {
  readonly present: Term;
  readonly value?: Plain | undefined;
}

function equalParts(terms: Terms, a: Perhaps, b: Perhaps): Term {
  const neither = terms.and(terms.not(a.present), terms.not(b.present));
  if (a.value === undefined || b.value === undefined) return neither;
  return terms.or(neither, terms.and(a.present, b.present, equalPlain(terms, a.value, b.value)));
}

/** The same value with integers as reals where the type says so. */
export function asType(terms: Terms, value: Plain, type: Type): Plain {
  if (value.kind === "term") return type.kind === "real" ? plain(terms.real(value.term)) : value;
  if (value.kind === "option" && type.kind === "option" && value.value !== undefined)
    return { ...value, value: asType(terms, value.value, type.value) };
  if (value.kind === "list" && type.kind === "list")
    return {
      kind: "list",
      items: value.items.map((item) => ({ ...item, value: asType(terms, item.value, type.element) })),
    };
  if (value.kind === "many" && type.kind === "list") return { ...value, element: type.element };
  if (value.kind !== "record" || type.kind !== "record") return value;
  const fields = [...value.fields].map(([name, part]) => {
    const field = fieldOf(type, name);
    return [name, field ? { ...part, value: asType(terms, part.value, field.type) } : part] as const;
  });
  return { kind: "record", fields: new Map(fields) };
}

export function termOf(value: Plain): Term {
  if (value.kind === "term") return value.term;
  throw new TypeError(`a ${value.kind} is no scalar`);
}
