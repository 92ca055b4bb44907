import { expect, test } from "vitest";
import { formsOf, type Shape, type Slot, type Sort, sorts, structs, unions } from "./shape.ts";

test("every sort can be reached from a document", () => {
  const reached = new Set<Sort>(["document"]);
  for (const sort of reached) {
    for (const shape of shapesOf(sort)) {
      for (const slot of Object.values(shape)) if ("sort" in slot) reached.add(slot.sort);
    }
  }
  expect([...reached].sort()).toEqual([...sorts].sort());
  expect([...sorts].sort()).toEqual([...Object.keys(structs), ...Object.keys(unions)].sort());
});

test("no field is called `kind`, which tells forms apart", () => {
  for (const sort of sorts)
    for (const shape of shapesOf(sort)) expect(Object.keys(shape)).not.toContain("kind");
});

test("what may be left out is told from what is empty", () => {
  // A list that were optional could be absent in two ways, and one document would have two hashes.
  const slots: Slot[] = sorts.flatMap((sort) => shapesOf(sort).flatMap((shape) => Object.values(shape)));
  for (const slot of slots) {
    if (slot.kind === "nodes" || slot.kind === "texts") expect(slot.optional).toBeUndefined();
    if (slot.kind === "flag") expect(slot.optional).toBe(true);
    // These are written when they are empty, so they are absent in one way only.
    if (slot.kind === "keptNodes" || slot.kind === "keptTexts") expect(slot.optional).toBe(true);
    if (slot.kind === "word") expect(new Set(slot.words).size).toBe(slot.words.length);
  }
});

test("there are no other sorts", () => {
  expect(() => formsOf("toString" as Sort)).toThrow(TypeError);
});

function shapesOf(sort: Sort): Shape[] {
  if (sort in structs) return [structs[sort as keyof typeof structs]];
  return Object.values(unions[sort as keyof typeof unions]);
}
