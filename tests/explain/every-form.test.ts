/**
 * The table of sentences leaves no form out: every operator, and every kind of expression, relation and source with every word
 * that it can have, stands in a formula of it. A new form without a sentence fails here.
 */
import { expect, test } from "vitest";
import { operators } from "../../src/ir/index.ts";
import { type Shape, structs, unions } from "../../src/ir/json/shape.ts";
import { placesOf } from "../support/walk.ts";
import { formulaOf, readGolden } from "./golden.ts";

const golden = readGolden();
const places = golden.cases.flatMap(({ formula }) =>
  placesOf("expr", formulaOf(golden.checked, formula).expr),
);

test("every operator has a sentence in the table", () => {
  const seen = new Set(places.map(({ node }) => Reflect.get(node, "op")));
  expect([...operators.keys()].filter((name) => !seen.has(name))).toEqual([]);
});

test("every form of a formula has a sentence in the table", () => {
  const seen = new Set(places.flatMap(({ node, sort }) => formsOf(node, sort)));
  const wanted = (["expr", "relation", "source"] as const).flatMap((sort) =>
    Object.entries(unions[sort]).flatMap(([kind, shape]) => [
      `${sort} ${kind}`,
      ...Object.entries(shape).flatMap(([name, slot]) =>
        slot.kind === "word"
          ? slot.words.map((word) => `${sort} ${kind} ${name} ${word}`)
          : slot.optional
            ? [`${sort} ${kind} with ${name}`, `${sort} ${kind} without ${name}`]
            : [],
      ),
    ]),
  );
  wanted.push("selection with where", "selection without where");
  expect(structs.selection.where.optional).toBe(true);
  expect(wanted.filter((form) => !seen.has(form))).toEqual([]);
});

/** Every aggregate over every relation, and every quantifier, with and without a filter, is said somewhere. */
test("every relation is quantified over, counted and added up", () => {
  const seen = new Set<string>();
  for (const { node } of places) {
    const over: unknown = Reflect.get(node, "over");
    if (typeof over !== "object" || over === null) continue;
    const relation: unknown = Reflect.get(over, "in");
    if (typeof relation !== "object" || relation === null) continue;
    const what =
      Reflect.get(node, "aggregate") ?? Reflect.get(node, "quantifier") ?? Reflect.get(node, "kind");
    const where = Reflect.get(over, "where") === undefined ? "" : " where";
    seen.add(
      `${String(Reflect.get(node, "kind"))} ${String(what)} ${String(Reflect.get(relation, "kind"))}${where}`,
    );
  }
  const wanted = ["calls", "label", "rows", "cells"].flatMap((relation) =>
    ["", " where"].flatMap((where) => [
      `quantifier forall ${relation}${where}`,
      `quantifier exists ${relation}${where}`,
      `aggregate count ${relation}${where}`,
      // The keys of a fluent are distinct anyway, and it is refused to ask.
      ...(relation === "cells" ? [] : [`distinct distinct ${relation}${where}`]),
    ]),
  );
  for (const relation of ["calls", "label", "rows"])
    for (const aggregate of ["sum", "min", "max"]) wanted.push(`aggregate ${aggregate} ${relation}`);
  for (const aggregate of ["count", "sum", "min", "max"]) wanted.push(`perKey ${aggregate} calls`);
  expect(wanted.filter((form) => !seen.has(form))).toEqual([]);
});

function formsOf(node: object, sort: string): string[] {
  const kind: unknown = Reflect.get(node, "kind");
  if (sort === "selection") return [`selection ${"where" in node ? "with" : "without"} where`];
  if (sort !== "expr" && sort !== "relation" && sort !== "source") return [];
  const shape: Shape = Object.entries(unions[sort]).find(([one]) => one === kind)?.[1] ?? {};
  return [
    `${sort} ${String(kind)}`,
    ...Object.entries(shape).flatMap(([name, slot]) => {
      const value: unknown = Reflect.get(node, name);
      if (slot.kind === "word") return [`${sort} ${String(kind)} ${name} ${String(value)}`];
      return slot.optional
        ? [`${sort} ${String(kind)} ${value === undefined ? "without" : "with"} ${name}`]
        : [];
    }),
  ];
}
