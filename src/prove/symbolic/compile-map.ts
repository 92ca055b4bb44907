/** Operators on maps: with known keys, and made of others by setting and deleting keys. Part of what must be trusted. */
import type { Type } from "../../ir/index.ts";
import { joined, lengthOf } from "../loops/unbounded-list.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { agrees, equalTerm, isWhole, keyOf, merge } from "./shape.ts";
import {
  type Distinct,
  fresh,
  type ListSymbolic,
  type OpaqueSymbolic,
  type OptionSymbolic,
  type Symbolic,
  scalar,
} from "./symbolic-value.ts";

/**
 * Undefined for what is not followed.
 * @param unknown the result of the operator on a map of which nothing is known
 */
export function compileMap(
  op: string,
  operands: readonly Symbolic[],
  type: Type,
  scene: Scene,
  unknown: (operands: readonly Symbolic[]) => Symbolic,
): Symbolic | undefined {
  const [first, second, third] = operands;
  if (op === "mapOf") return first?.kind === "list" ? mapOf(first, type, scene) : undefined;
  if (first?.kind !== "opaque" || first.type.kind !== "map") return undefined;
  switch (op) {
    case "mapSet":
      return second && third && written(first, second, third, type, scene);
    case "mapDelete":
      return second && written(first, second, undefined, type, scene);
    case "mapGet":
      return second && get(first, second, scene, unknown);
    case "mapHas": {
      const found = second && hasKey(first, second, scene);
      return found && scalar(found);
    }
    case "mapEntries":
      return entriesOf(first, scene);
    case "mapKeys":
      return partOf(entriesOf(first, scene), type, (entry) => partsOf(entry).key, scene, "");
    case "mapValues":
      return partOf(entriesOf(first, scene), type, (entry) => partsOf(entry).value, scene);
    case "mapSize":
      return sizeOf(entriesOf(first, scene), scene);
    default:
      return undefined;
  }
}

function sizeOf(entries: Symbolic, scene: Scene): Symbolic {
  return scalar(lengthOf(entries, scene));
}

/** Returns the condition that the map has the key. */
export function hasKey(map: OpaqueSymbolic, key: Symbolic, scene: Scene): Term | undefined {
  if (map.type.kind !== "map") return undefined;
  const found = get(map, key, scene, unknownEntry(map.type.value, scene));
  return found.kind === "option" ? found.present : undefined;
}

/** Returns what the map has at a key, which is there if the condition holds. */
export function valueAt(
  map: OpaqueSymbolic,
  key: Symbolic,
  type: Type,
  scene: Scene,
): { readonly present: Term; readonly value: Symbolic | undefined } {
  const found = get(map, key, scene, unknownEntry(type, scene));
  if (found.kind !== "option") throw new TypeError("a map has an option at a key");
  return found;
}

/**
 * The map with the key set, or without it.
 * @param type of the new map: an empty one has no type of values of its own
 */
function written(
  of: OpaqueSymbolic,
  key: Symbolic,
  value: Symbolic | undefined,
  type: Type,
  { terms }: Scene,
): Symbolic {
  const name = `write(${keyOf(of)};${keyOf(key)};${value === undefined ? "" : keyOf(value)})`;
  return { kind: "opaque", key: terms.brief(name), type, write: { of, key, value } };
}

/**
 * The value at a key: the one that was set there last, or that was there before.
 * SOUNDNESS: where a run stops for the name that it asks for, anything may be said.
 */
function get(
  map: Symbolic,
  key: Symbolic,
  scene: Scene,
  unknown: (operands: readonly Symbolic[]) => Symbolic,
): Symbolic {
  const { terms, lists } = scene;
  if (map.kind !== "opaque") throw new TypeError("a map is opaque");
  return lists.onceValue(`${keyOf(map)} get ${keyOf(key)}`, () => {
    const { write, choice, entries } = map;
    if (write !== undefined) {
      const here = equalTerm(terms, write.key, key);
      const set: Symbolic = {
        kind: "option",
        present: terms.bool(write.value !== undefined),
        value: write.value,
      };
      return merge(terms, here, set, get(write.of, key, scene, unknown));
    }
    if (choice !== undefined) {
      const { condition, yes, no } = choice;
      return merge(terms, condition, get(yes, key, scene, unknown), get(no, key, scene, unknown));
    }
    if (entries !== undefined) return amongKnown(entries, key, scene);
    const found = unknown([map, key]);
    if (found.kind === "option" && found.value !== undefined) noteFound(map, key, found, scene);
    return found;
  });
}

/** SOUNDNESS: a key is in the map once. */
function amongKnown(entries: ListSymbolic, wanted: Symbolic, { terms }: Scene): Symbolic {
  const items = entries.items.map(({ present, value }) => ({ present, ...partsOf(value) }));
  const here = items.map(({ present, key }) => terms.and(present, equalTerm(terms, key, wanted)));
  const value = items.reduceRight<Symbolic | undefined>(
    (rest, one, i) =>
      rest === undefined ? one.value : merge(terms, here[i] ?? terms.false, one.value, rest),
    undefined,
  );
  return { kind: "option", present: terms.any(here), value };
}

/** LIMIT: of keys that were looked up before, which are compared with the next one. */
const mostLookedUp = 6;

/** Says of what was found in an unknown map all that is known of its entries, and that equal keys have one value. */
function noteFound(map: OpaqueSymbolic, key: Symbolic, found: OptionSymbolic, scene: Scene): void {
  const { terms, lists, constrain } = scene;
  if (found.value === undefined) return;
  const entries = bareEntries(map, scene);
  const entry = entryOf(terms, key, found.value);
  for (const { made, value } of lists.chosen(entries).slice(-mostLookedUp)) {
    const [other, before] =
      value.kind === "record" ? [value.fields.get("key"), value.fields.get("value")] : [];
    if (other === undefined || before === undefined) continue;
    const same = terms.and(made, equalTerm(terms, other.value, key));
    constrain(terms.implies(same, terms.and(found.present, agrees(terms, before.value, found.value))));
  }
  lists.applyRules(entries, { made: found.present, value: entry }, constrain);
  lists.addChosen(entries, { made: found.present, value: entry });
}

function entryOf(terms: Terms, key: Symbolic, value: Symbolic): Symbolic {
  const fields = [
    ["key", { present: terms.true, value: key }],
    ["value", { present: terms.true, value }],
  ] as const;
  return { kind: "record", fields: new Map(fields) };
}

function unknownEntry(type: Type, scene: Scene): (operands: readonly Symbolic[]) => Symbolic {
  return (operands) =>
    fresh(
      scene.terms,
      scene.terms.brief(`mapGet(${operands.map(keyOf).join(";")})`),
      { kind: "option", value: type },
      scene.constrain,
      scene.length,
    );
}

/** The entries of a map of which nothing is known but that a key is in it once. */
export function bareEntries({ key, type }: OpaqueSymbolic, { terms }: Scene): OpaqueSymbolic {
  if (type.kind !== "map") throw new TypeError("only a map has entries");
  return {
    kind: "opaque",
    key: terms.brief(`mapEntries(${key})`),
    type: entriesType(type.value),
    distinct: "key",
  };
}

function entriesType(value: Type): Type & { kind: "list" } {
  const fields = [
    { name: "key", type: { kind: "string" } },
    { name: "value", type: value },
  ] as const;
  return { kind: "list", element: { kind: "record", fields } };
}

/**
 * The entries of a map.
 * SOUNDNESS: of one that was written to, no more than that each is the one that was set, or was there before. To find a
 * run they are put one after the other, whatever the order of their keys: the run is made and judged.
 */
export function entriesOf(map: Symbolic, scene: Scene): Symbolic {
  const { terms, length } = scene;
  if (map.kind !== "opaque" || map.type.kind !== "map") throw new TypeError("only a map has entries");
  const { write, choice, entries } = map;
  if (entries !== undefined) return entries;
  if (choice !== undefined) {
    const { condition, yes, no } = choice;
    return distinctly(merge(terms, condition, entriesOf(yes, scene), entriesOf(no, scene)));
  }
  if (write === undefined)
    return length === undefined ? bareEntries(map, scene) : shortEntries(map, map.type.value, scene);
  const before = entriesOf(write.of, scene);
  if (before.kind === "list" && length !== undefined) return withWritten(before, write, scene);
  const own: Symbolic[] =
    write.value === undefined
      ? []
      : [{ kind: "list", items: [{ present: terms.true, value: entryOf(terms, write.key, write.value) }] }];
  const type = entriesType(map.type.value);
  const list: OpaqueSymbolic = {
    kind: "opaque",
    key: terms.brief(`mapEntries(${map.key})`),
    type,
    source: { kind: "part", of: joined(terms, [before, ...own], type) },
    distinct: "key",
  };
  const [size, most] = [
    lengthOf(list, scene),
    terms.apply("+", lengthOf(before, scene), terms.int(own.length)),
  ];
  scene.constrain(terms.apply("<=", size, most));
  if (own.length > 0) scene.constrain(terms.apply("<=", terms.int(1), size));
  return list;
}

function shortEntries(map: OpaqueSymbolic, value: Type, scene: Scene): Symbolic {
  const { terms, constrain, length } = scene;
  return fresh(terms, terms.brief(`mapEntries(${keyOf(map)})`), entriesType(value), constrain, length);
}

function distinctly(list: Symbolic): Symbolic {
  return list.kind === "opaque" ? { ...list, distinct: "key" } : list;
}

function withWritten(
  { items }: ListSymbolic,
  { key, value }: NonNullable<OpaqueSymbolic["write"]>,
  { terms }: Scene,
): ListSymbolic {
  const here = items.map((item) => terms.and(item.present, equalTerm(terms, partsOf(item.value).key, key)));
  if (value === undefined)
    return {
      kind: "list",
      items: items.map((item, i) => ({
        ...item,
        present: terms.and(item.present, terms.not(here[i] ?? terms.false)),
      })),
    };
  const changed = items.map((item, i) => {
    const parts = partsOf(item.value);
    return {
      ...item,
      value: entryOf(terms, parts.key, merge(terms, here[i] ?? terms.false, value, parts.value)),
    };
  });
  return {
    kind: "list",
    items: [...changed, { present: terms.not(terms.any(here)), value: entryOf(terms, key, value) }],
  };
}

/** The keys or the values of entries. */
function partOf(
  entries: Symbolic,
  type: Type,
  read: (entry: Symbolic) => Symbolic,
  { terms }: Scene,
  distinct?: Distinct,
): Symbolic {
  if (entries.kind === "list")
    return {
      kind: "list",
      items: entries.items.map(({ present, value }) => ({ present, value: read(value) })),
    };
  const key = terms.brief(`${distinct === undefined ? "mapValues" : "mapKeys"}(${keyOf(entries)})`);
  const source = { kind: "map", of: entries, apply: read } as const;
  return { kind: "opaque", key, type, source, ...(distinct !== undefined && { distinct }) };
}

/** LIMIT: of entries; each look into the map compares with all of them. */
const mostEntries = 100;

/** SOUNDNESS: of keys that are apart from each other, and that keep their order: array indices would come first. */
function mapOf(list: ListSymbolic, type: Type, { terms }: Scene): OpaqueSymbolic | undefined {
  if (type.kind !== "map" || !isWhole(terms, list) || list.items.length > mostEntries) return undefined;
  const keys = new Set<string>();
  for (const { value } of list.items) {
    const key = literalOf(partsOf(value).key);
    if (key === undefined || /^\d+$/.test(key) || keys.has(key)) return undefined;
    keys.add(key);
  }
  return { kind: "opaque", key: terms.brief(`mapOf(${keyOf(list)})`), type, entries: list };
}

function partsOf(entry: Symbolic): { readonly key: Symbolic; readonly value: Symbolic } {
  const [key, value] = entry.kind === "record" ? [entry.fields.get("key"), entry.fields.get("value")] : [];
  if (key === undefined || value === undefined) throw new TypeError("an entry has a key and a value");
  return { key: key.value, value: value.value };
}

function literalOf(value: Symbolic): string | undefined {
  const term: Term | undefined = value.kind === "scalar" ? value.term : undefined;
  return term?.kind === "literal" && typeof term.value === "string" ? term.value : undefined;
}
