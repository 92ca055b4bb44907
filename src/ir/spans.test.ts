/** A path leads to the same place in a text and in JSON. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyProgram } from "../../tests/support/arbitrary-program.ts";
import { runs } from "../../tests/support/runs.ts";
import { timeout } from "../../tests/support/timeout.ts";
import { partAt, placesIn } from "../../tests/support/walk.ts";
import type { Path } from "./diagnostic.ts";
import { documentToJson } from "./json/encode.ts";
import { type ReadDocument, readDocument } from "./read.ts";
import { withSpans } from "./spans.ts";
import { parseExpr } from "./text/parser.ts";
import { printDocument } from "./text/printer.ts";

const options = { timeout: timeout(30) };

test("in a text, the span of an expression is its text", options, () => {
  fc.assert(
    fc.property(anyProgram({ commands: 4, guarantees: 2 }), ({ document }) => {
      const text = printDocument(document);
      const { locate } = read(text);
      for (const { node, path, sort } of placesIn(document)) {
        const span = locate(path);
        if (span === undefined) throw new Error(`no place for ${path.join(".")}`);
        if (sort !== "expr") continue;
        const parsed = parseExpr(text.slice(span.start, span.end));
        // A function stands alone only as an operand.
        if (Reflect.get(node, "kind") === "lambda") continue;
        expect(
          parsed.ok && isDeepStrictEqual(parsed.value.expr, node) ? "" : text.slice(span.start, span.end),
        ).toBe("");
      }
    }),
    { numRuns: runs(40) },
  );
});

test("in JSON, the span of everything is its JSON", options, () => {
  fc.assert(
    fc.property(anyProgram({ commands: 4, guarantees: 2 }), ({ document }) => {
      const json = documentToJson(document);
      const text = JSON.stringify(json, null, 1);
      const { locate } = read(text);
      for (const { path } of placesIn(document)) {
        const span = locate(path);
        const found = span && JSON.parse(text.slice(span.start, span.end));
        expect(isDeepStrictEqual(found, plain(partAt(json, path))) ? "" : path.join(".")).toBe("");
      }
    }),
    { numRuns: runs(40) },
  );
});

describe("names and other scalars have places of their own", () => {
  const text =
    "effect-ir 1\ntool a.b(amount: real)\nprogram (n: int) {\n  let total = n + 1\n  call @first a.b(amount: total) catch oops\n}\n";
  const json = JSON.stringify(documentToJson(read(text).checked.document), null, 1);

  test.each<[Path, string, string]>([
    [["tools", 0, "name"], "a.b", '"a.b"'],
    [["tools", 0, "params", 0, "name"], "amount", '"amount"'],
    [["program", "inputs", 0, "name"], "n", '"n"'],
    [["program", "body", 0, "name"], "total", '"total"'],
    [["program", "body", 0, "value", "args", 0, "name"], "n", '"n"'],
    [["program", "body", 1, "id"], "@first", '"first"'],
    [["program", "body", 1, "tool"], "a.b", '"a.b"'],
    [["program", "body", 1, "catch"], "oops", '"oops"'],
    // What is not there leads to the smallest thing that is.
    [["program", "body", 0, "value", "args", 7], "n + 1", ""],
  ])("%j", (path, inText, inJson) => {
    const [a, b] = [read(text).locate(path), read(json).locate(path)];
    expect(a && text.slice(a.start, a.end)).toBe(inText);
    if (inJson !== "") expect(b && json.slice(b.start, b.end)).toBe(inJson);
  });

  test("a problem that has a place keeps it, and all are in order", () => {
    const placed = withSpans(
      [
        { code: "FC1201", message: "later", path: ["program", "body", 1] },
        { code: "FC1201", message: "earlier", path: ["tools", 0] },
        { code: "FC1201", message: "own", path: [], span: { start: 1, end: 2 } },
      ],
      read(text).locate,
    );
    expect(placed.map(({ message }) => message)).toEqual(["own", "earlier", "later"]);
    expect(placed[0]?.span).toEqual({ start: 1, end: 2 });
  });
});

function read(text: string): ReadDocument {
  const found = readDocument(text);
  if (found.ok) return found.value;
  throw new Error(found.problems[0]?.message);
}

function plain(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json));
}
