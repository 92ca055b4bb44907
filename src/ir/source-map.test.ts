import { expect, test } from "vitest";
import { Trail } from "./diagnostic.ts";
import { readJson } from "./json/reader.ts";
import { placeOf, pointer, readSourceMap, type SourceMap, sourceMapToJson } from "./source-map.ts";

const place = (startLine: number, file = 0) => ({
  file,
  startLine,
  startColumn: 1,
  endLine: startLine,
  endColumn: 9,
});
const map: SourceMap = {
  files: ["a.ts", "b.ts"],
  places: new Map([
    ["", place(1)],
    ["/program/body/0", place(2)],
    ["/program/body/0/value", place(3, 1)],
    ["/tools/0/a~1b/c~0d", place(4)],
  ]),
};

test("a part without a place of its own has that of what encloses it", () => {
  expect(placeOf(map, ["program", "body", 0, "value"])).toMatchObject({ startLine: 3, name: "b.ts" });
  expect(placeOf(map, ["program", "body", 0, "value", "args", 1])).toMatchObject({
    startLine: 3,
    name: "b.ts",
  });
  expect(placeOf(map, ["program", "body", 0, "name"])).toMatchObject({ startLine: 2, name: "a.ts" });
  expect(placeOf(map, ["program", "body", 1])).toMatchObject({ startLine: 1 });
  expect(placeOf(map, [])).toMatchObject({ startLine: 1 });
  expect(placeOf({ files: ["a.ts"], places: new Map() }, ["program"])).toBeUndefined();
});

test("pointers are those of RFC 6901", () => {
  expect(pointer([])).toBe("");
  expect(pointer(["tools", 0, "a/b", "c~d"])).toBe("/tools/0/a~1b/c~0d");
  expect(placeOf(map, ["tools", 0, "a/b", "c~d"])).toMatchObject({ startLine: 4 });
  expect(pointer(["~1"])).not.toBe(pointer(["/"]));
});

test("is the same after it was written and read", () => {
  expect(read(JSON.stringify(sourceMapToJson(map)))).toEqual({ ok: true, value: map });
});

test.each([
  ["an array", "[]"],
  ["no files", '{"places":{}}'],
  ["no places", '{"files":[]}'],
  ["a file that is no name", '{"files":[1],"places":{}}'],
  ["a place with four numbers", '{"files":["a"],"places":{"":[0,1,1,1]}}'],
  ["a place that is no list", '{"files":["a"],"places":{"":5}}'],
  ["a place in a file that is not there", '{"files":["a"],"places":{"":[1,1,1,1,1]}}'],
  ["a negative line", '{"files":["a"],"places":{"":[0,-1,1,1,1]}}'],
  ["half a line", '{"files":["a"],"places":{"":[0,1.5,1,1,1]}}'],
  ["a further field", '{"files":["a"],"places":{},"version":3}'],
])("%s is refused", (_, text) => {
  const result = read(text);
  expect(result.ok).toBe(false);
  if (!result.ok) for (const { path } of result.problems) expect(path[0]).toBe("sourceMap");
});

function read(text: string) {
  const json = readJson(text);
  if (!json.ok) throw new Error("no JSON");
  return readSourceMap(json.value.value, Trail.root.at("sourceMap"));
}
