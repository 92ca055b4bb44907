/** Documents that differ from a given one in exactly one place. */
import type { Document } from "../../src/ir/document.ts";
import { type Shape, type Slot, structs, unions } from "../../src/ir/json/shape.ts";
import { add } from "../../src/ir/number.ts";
import { type Place, placesIn, replaced } from "./walk.ts";

export interface Mutation {
  /** The place and the change. */
  readonly what: string;
  readonly document: Document;
}

export function mutationsOf(document: Document): Mutation[] {
  return placesIn(document).flatMap((place) =>
    [...slotsOf(place), ...kindOf(place)].map(([what, node]) => ({
      what: `${place.sort} at ${place.path.join(".")}: ${what}`,
      document: replaced(document, place.path, node),
    })),
  );
}

type Changed = readonly [what: string, node: object];

/** Each field made another. */
function slotsOf({ node, sort }: Place): Changed[] {
  const fields = node as Readonly<Record<string, unknown>>;
  const shape: Shape =
    sort in structs
      ? structs[sort as keyof typeof structs]
      : ((unions[sort as keyof typeof unions] as Readonly<Record<string, Shape>>)[String(fields.kind)] ?? {});
  return Object.entries(shape).flatMap(([name, slot]) =>
    otherValues(slot, fields[name]).map(([what, value]): Changed => {
      const { [name]: _, ...rest } = fields;
      return [`${name} ${what}`, value === undefined ? rest : { ...fields, [name]: value }];
    }),
  );
}

function otherValues(slot: Slot, value: unknown): (readonly [what: string, value: unknown])[] {
  const gone: [string, unknown][] = slot.optional && value !== undefined ? [["left out", undefined]] : [];
  switch (slot.kind) {
    case "version":
      return [];
    case "text":
      return value === undefined
        ? [["added", "x"]]
        : [...gone, ["longer", `${value}x`], ["empty", value === "" ? "y" : ""]];
    case "texts": {
      const texts = value as readonly string[];
      return [["longer", [...texts, "x"]], ...shorterLists(texts)];
    }
    case "boolean":
      return [["flipped", !value]];
    case "flag":
      return value === undefined ? [["set", true]] : gone;
    case "count":
      return value === undefined ? [["added", 0]] : [...gone, ["greater", (value as number) + 1]];
    case "number":
      return [["greater", add(value as bigint, 1n)]];
    case "word":
      return slot.words.filter((word) => word !== value).map((word) => ["another word", word]);
    case "node":
      // Its own fields are changed at its own place.
      return gone;
    case "nodes":
      return shorterLists(value as readonly unknown[]);
    case "keptTexts":
      return value === undefined ? [["added", []]] : [...gone, ["longer", [...(value as string[]), "x"]]];
    case "keptNodes":
      return value === undefined ? [["added", []]] : [...gone, ...shorterLists(value as readonly unknown[])];
    case "nodeLists": {
      const lists = value as readonly (readonly unknown[])[];
      const inner = lists.flatMap((list, i) =>
        shorterLists(list).map(([what, other]): [string, unknown] => [
          `list ${i} ${what}`,
          lists.with(i, other as unknown[]),
        ]),
      );
      return [...shorterLists(lists), ["with an empty one more", [...lists, []]], ...inner];
    }
  }
}

function shorterLists(items: readonly unknown[]): [string, unknown][] {
  const [first, second, ...rest] = items;
  if (first === undefined) return [];
  const changed: [string, unknown][] = [
    ["shorter", items.slice(1)],
    ["with one twice", [first, ...items]],
  ];
  const text = (item: unknown) =>
    JSON.stringify(item, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
  if (second !== undefined && text(first) !== text(second))
    changed.push(["in another order", [second, first, ...rest]]);
  return changed;
}

/** Another node of the same sort with the same fields, where there is one. */
function kindOf({ node, sort }: Place): Changed[] {
  const { kind } = node as { readonly kind?: unknown };
  const others: Readonly<Record<string, readonly string[]>> = {
    type: ["bool", "int", "real", "string", "json"],
    source: [],
    relation: ["calls", "rows"],
  };
  const alike = others[sort] ?? [];
  if (typeof kind !== "string" || !alike.includes(kind)) return [];
  return alike
    .filter((other) => other !== kind)
    .map((other): Changed => [`a ${other}`, { ...node, kind: other }]);
}
