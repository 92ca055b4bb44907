/**
 * Well-formed documents, one for each thing that can be said, with what they must be read as: the canonical text
 * (`.txt`), the JSON form (`.json`) and the hash (`hashes.json`). A change of any of these changes what documents mean
 * or how they are named, which every user of version 1 would notice.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import type { Document } from "../../src/ir/document.ts";
import { hashDocument } from "../../src/ir/hash.ts";
import type { PlainJson } from "../../src/ir/json/canonical.ts";
import { documentToJson } from "../../src/ir/json/encode.ts";
import { jsonSchema } from "../../src/ir/json/schema.ts";
import { type Shape, structs, unions } from "../../src/ir/json/shape.ts";
import { operators } from "../../src/ir/operators/index.ts";
import { readDocument } from "../../src/ir/read.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { filesIn, formatJson, pathOf, readText } from "../support/spec-files.ts";
import { placesIn } from "../support/walk.ts";

const folder = "spec/effect-ir/documents";
const names = filesIn(folder, ".eir").map((name) => name.replace(/\.eir$/, ""));
const schemaFile = "schema/effect-ir-1.schema.json";
const validate = new Ajv2020().compile(JSON.parse(readText(schemaFile)));

test("there are enough of them", () => {
  expect(names.length).toBeGreaterThan(50);
  expect(filesIn(folder, ".txt")).toEqual(names.map((name) => `${name}.txt`));
  expect(filesIn(folder, ".json").filter((name) => name !== "hashes.json")).toEqual(
    names.map((name) => `${name}.json`),
  );
});

describe.each(names)("%s", (name) => {
  const source = readText(`${folder}/${name}.eir`);

  test("says what it shows", () => {
    expect(source).toMatch(/^\/\/ [^\n]+\.\n/);
  });

  test("has its canonical text", async () => {
    const text = printDocument(documentOf(source));
    await expect(text).toMatchFileSnapshot(pathOf(`${folder}/${name}.txt`));
    expect(documentOf(text)).toEqual(documentOf(source));
    expect(printDocument(documentOf(text))).toBe(text);
  });

  test("has its JSON form", async () => {
    const json = documentToJson(documentOf(source));
    await expect(formatJson(json)).toMatchFileSnapshot(pathOf(`${folder}/${name}.json`));
    expect(documentOf(JSON.stringify(json))).toEqual(documentOf(source));
  });

  test("fits the published schema", () => {
    expect(validate(JSON.parse(readText(`${folder}/${name}.json`)))).toBe(true);
  });
});

test("each has its hash, the same in every form", async () => {
  const hashes: Record<string, PlainJson> = {};
  for (const name of names) {
    const forms = [".eir", ".txt", ".json"].map((ending) =>
      hashDocument(documentOf(readText(`${folder}/${name}${ending}`))),
    );
    expect(new Set(forms).size, name).toBe(1);
    hashes[name] = forms[0]!;
  }
  expect(new Set(Object.values(hashes)).size).toBe(names.length);
  await expect(formatJson(hashes)).toMatchFileSnapshot(pathOf(`${folder}/hashes.json`));
});

test("the published schema is the one that the decoder follows", async () => {
  await expect(formatJson(jsonSchema())).toMatchFileSnapshot(pathOf(schemaFile));
});

describe("together they say everything that can be said", () => {
  const places = names.flatMap((name) => placesIn(documentOf(readText(`${folder}/${name}.eir`))));
  const present = (sort: string, kind: string | undefined) =>
    places.filter(
      (place) => place.sort === sort && (kind === undefined || Reflect.get(place.node, "kind") === kind),
    );

  const forms: [sort: string, kind: string | undefined, shape: Shape][] = [
    ...Object.entries(structs).map(([sort, shape]): [string, undefined, Shape] => [sort, undefined, shape]),
    ...Object.entries(unions).flatMap(([sort, kinds]) =>
      Object.entries(kinds).map(([kind, shape]): [string, string, Shape] => [sort, kind, shape]),
    ),
  ];

  test.each(forms)("%s %s", (sort, kind, shape) => {
    const found = present(sort, kind);
    expect(found.length).toBeGreaterThan(0);
    for (const [name, slot] of Object.entries(shape)) {
      const values = found.map(({ node }) => Reflect.get(node, name) as unknown);
      // With and without what need not be there; every word of a closed set; lists with and without elements.
      expect(
        values.some((value) => value !== undefined),
        name,
      ).toBe(true);
      if (slot.optional) expect(values.includes(undefined), `without ${name}`).toBe(true);
      if (slot.kind === "word") expect(new Set(values), name).toEqual(new Set(slot.words));
      if (slot.kind === "nodes" || slot.kind === "texts")
        expect(
          values.some((value) => Array.isArray(value) && value.length > 1),
          `several ${name}`,
        ).toBe(true);
    }
  });

  test.each([...operators.keys()])("the operator %s", (name) => {
    expect(present("expr", "op").some(({ node }) => Reflect.get(node, "op") === name)).toBe(true);
  });
});

function documentOf(text: string): Document {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
  const { document } = read.value.checked;
  // Both readers give what the checker takes.
  expect(check(document).ok).toBe(true);
  return document;
}
