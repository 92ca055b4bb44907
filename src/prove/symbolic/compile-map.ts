/** Operators on maps whose keys are known. Part of what must be trusted. */
import type { Type } from "../../ir/index.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { equalTerm, isWhole, keyOf, merge } from "./shape.ts";
import { type ListSymbolic, type OpaqueSymbolic, type Symbolic, scalar } from "./symbolic-value.ts";

/** Undefined for what is not followed. */
export function compileMap(
  op: string,
  [first, second]: readonly Symbolic[],
  type: Type,
  scene: Scene,
): Symbolic | undefined {
  const { terms } = scene;
  if (op === "mapOf") return first?.kind === "list" ? mapOf(first, type, scene) : undefined;
  const entries = first?.kind === "opaque" ? first.entries : undefined;
  if (entries === undefined) return undefined;
  const items = entries.items.map(({ present, value }) => ({ present, ...partsOf(value) }));
  switch (op) {
    case "mapEntries":
      return entries;
    case "mapKeys":
      return { kind: "list", items: items.map(({ present, key }) => ({ present, value: key })) };
    case "mapValues":
      return { kind: "list", items: items.map(({ present, value }) => ({ present, value })) };
    case "mapSize":
      return scalar(
        terms.sum(
          items.map(({ present }) => terms.ite(present, terms.int(1), terms.int(0))),
          "Int",
        ),
      );
    case "mapHas":
    case "mapGet": {
      if (second === undefined) return undefined;
      const here = items.map(({ present, key }) => terms.and(present, equalTerm(terms, key, second)));
      if (op === "mapHas") return scalar(terms.any(here));
      // SOUNDNESS: a key is in the map once. Where a run stops for the name that it asks for, anything may be said.
      const value = items.reduceRight<Symbolic | undefined>(
        (rest, one, i) =>
          rest === undefined ? one.value : merge(terms, here[i] ?? terms.false, one.value, rest),
        undefined,
      );
      return { kind: "option", present: terms.any(here), value };
    }
    default:
      return undefined;
  }
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
