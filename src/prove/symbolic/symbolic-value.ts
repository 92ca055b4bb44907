/**
 * Values that are not known yet: scalars are terms, and what is composed of scalars keeps its shape, so that most
 * of a program's structure never reaches the solver.
 * Part of what must be trusted.
 */
import {
  fieldOf,
  hasNoValue,
  isList,
  isOption,
  isRecord,
  type Type,
  type Value,
  valueKey,
} from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import { type Sort, sortOfKind, type Term } from "../terms/term.ts";

export type Symbolic = ScalarSymbolic | OptionSymbolic | RecordSymbolic | ListSymbolic | OpaqueSymbolic;

export interface ScalarSymbolic {
  readonly kind: "scalar";
  readonly term: Term;
}

/** `value` matters only where `present` is true; an option of no type has none. */
export interface OptionSymbolic {
  readonly kind: "option";
  readonly present: Term;
  readonly value: Symbolic | undefined;
}

export interface RecordSymbolic {
  readonly kind: "record";
  /** A field that may be absent has a term for whether it is there. */
  readonly fields: ReadonlyMap<string, { readonly present: Term; readonly value: Symbolic }>;
}

/** A list whose elements are known one by one, each with the condition under which it is there. */
export interface ListSymbolic {
  readonly kind: "list";
  readonly items: readonly { readonly present: Term; readonly value: Symbolic }[];
}

/**
 * A value of which only its identity is known: a list that a tool returned, a JSON value, what an opaque operator
 * gives. Equal keys are equal values; of different keys nothing is known.
 */
export interface OpaqueSymbolic {
  readonly kind: "opaque";
  readonly key: string;
  readonly type: Type;
  /** Origin of a derived list. */
  readonly source?: Source;
  /** Set if no two elements of the list are equal, or have this field equal. */
  readonly distinct?: Distinct;
  /** For a JSON value: candidates to find a run with. */
  readonly either?: readonly Symbolic[];
  /** For a map with known keys: its entries, in order, with distinct keys. */
  readonly entries?: ListSymbolic;
  /** For a map made from another: the key that was set, or deleted if there is no value. */
  readonly write?: { readonly of: Symbolic; readonly key: Symbolic; readonly value: Symbolic | undefined };
  /** For one of two maps. */
  readonly choice?: { readonly condition: Term; readonly yes: Symbolic; readonly no: Symbolic };
}

/** Empty for the whole element. */
export type Distinct = "" | "key";

/** Origin of a list. `holds` and `apply` are deterministic. */
export type Source =
  /** Some elements of another list. */
  | { readonly kind: "part"; readonly of: Symbolic; readonly holds?: (value: Symbolic) => Term }
  | { readonly kind: "map"; readonly of: Symbolic; readonly apply: (value: Symbolic) => Symbolic }
  /** The lists that the function gives for each element, one after the other. */
  | { readonly kind: "flat"; readonly of: Symbolic; readonly apply: (value: Symbolic) => Symbolic }
  /** The integers from 0 below a number. */
  | { readonly kind: "range"; readonly count: Term }
  /** Each element with its position. */
  | { readonly kind: "entries"; readonly of: Symbolic }
  /** One list after the other. */
  | { readonly kind: "joined"; readonly parts: readonly Symbolic[] }
  | { readonly kind: "choice"; readonly condition: Term; readonly yes: Symbolic; readonly no: Symbolic }
  /** A list that a loop carries: what it was before the loop, and then what the iteration before has left. */
  | {
      readonly kind: "previous";
      readonly isFirst: Term;
      readonly first: Symbolic;
      readonly next: () => Symbolic | undefined;
    }
  /** A list that a loop has extended. `element` is any appended element, if the condition holds. */
  | {
      readonly kind: "collected";
      readonly first: Symbolic;
      readonly element: (made: Term) => Symbolic | undefined;
    };

export const scalar = (term: Term): ScalarSymbolic => ({ kind: "scalar", term });

/** The sort of a scalar type; undefined for what is composed. */
export function sortOf(type: Type): Sort | undefined {
  return sortOfKind(type.kind);
}

/** A known value of the type. */
export function known(terms: Terms, value: Value, type: Type): Symbolic {
  const sort = sortOf(type);
  if (sort !== undefined) return scalar(terms.literal(value, sort));
  if (type.kind === "option" && isOption(value)) {
    if (value.kind === "none") return { kind: "option", present: terms.false, value: undefined };
    return { kind: "option", present: terms.true, value: known(terms, value.value, type.value) };
  }
  if (type.kind === "list" && isList(value)) {
    return {
      kind: "list",
      items: value.map((item) => ({ present: terms.true, value: known(terms, item, type.element) })),
    };
  }
  if (type.kind === "record" && isRecord(value)) {
    const fields = Object.entries(value.fields).map(([name, field]) => {
      const declared = fieldOf(type, name);
      if (declared === undefined) throw new TypeError(`a record has no \`${name}\``);
      return [name, { present: terms.true, value: known(terms, field, declared.type) }] as const;
    });
    return { kind: "record", fields: new Map(fields) };
  }
  if (type.kind === "map") return { kind: "opaque", key: `map@${valueKey(value)}`, type };
  if (type.kind === "json") return { kind: "opaque", key: `json@${valueKey(value)}`, type };
  throw new TypeError(`no value of type ${type.kind}`);
}

/** Lengths of lists for finding a run: all alike, or each as needed. */
export type ShortLength = number | { readonly upTo: number };

/**
 * A value of the type that nothing else is known of. `constrain` is told what its type alone says.
 * @param length of every list in it, where it is chosen for finding a run: one for all, or up to so many elements
 */
export function fresh(
  terms: Terms,
  name: string,
  type: Type,
  constrain: (term: Term) => void,
  length?: ShortLength,
): Symbolic {
  const sort = sortOf(type);
  if (sort !== undefined) {
    const term = terms.constant(name, sort);
    if (type.kind === "enum") {
      constrain(terms.any(type.values.map((value) => terms.equal(term, terms.literal(value, "String")))));
    }
    return scalar(term);
  }
  // What could hold only values of no type holds none.
  if (type.kind === "option" && hasNoValue(type.value)) {
    return { kind: "option", present: terms.false, value: undefined };
  }
  if (type.kind === "list" && hasNoValue(type.element)) return { kind: "list", items: [] };
  if (type.kind === "option") {
    const present = terms.constant(`${name}?`, "Bool");
    return { kind: "option", present, value: fresh(terms, `${name}!`, type.value, constrain, length) };
  }
  if (type.kind === "record") {
    const fields = type.fields
      .filter((field) => !(field.optional && hasNoValue(field.type)))
      .map((field) => {
        const at = `${name}.${escaped(field.name)}`;
        const present = field.optional ? terms.constant(`${at}?`, "Bool") : terms.true;
        return [field.name, { present, value: fresh(terms, at, field.type, constrain, length) }] as const;
      });
    return { kind: "record", fields: new Map(fields) };
  }
  if (type.kind === "list" && length !== undefined) {
    const element = (i: number) => fresh(terms, `${name}#${i}`, type.element, constrain, length);
    if (typeof length === "number")
      return {
        kind: "list",
        items: Array.from({ length }, (_, i) => ({ present: terms.true, value: element(i) })),
      };
    const own = terms.constant(`length@${name}`, "Int");
    constrain(
      terms.and(terms.apply("<=", terms.int(0), own), terms.apply("<=", own, terms.int(length.upTo))),
    );
    const items = Array.from({ length: length.upTo }, (_, i) => ({
      present: terms.apply("<", terms.int(i), own),
      value: element(i),
    }));
    return { kind: "list", items };
  }
  return { kind: "opaque", key: name, type };
}

/** SOUNDNESS: two values must never get one name, so what separates the parts of a name cannot be in a part. */
export function escaped(part: string): string {
  // To look for a sign takes much less than to replace none.
  if (!/[%.?!@#,:()]/.test(part)) return part;
  return part.replace(/[%.?!@#,:()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
