/** The parts of Node's modules that the playground has, against Node's own. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as ours from "../../src/playground/prover/platform/path.ts";
import { Sha256 } from "../../src/playground/prover/platform/sha256.ts";
import { isPath } from "../../src/playground/prover/prove-texts.ts";
import { runs } from "../support/runs.ts";

function hashOf(parts: readonly string[]): string {
  const hash = new Sha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function nodesHashOf(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part, "utf8");
  return hash.digest("hex");
}

test("SHA-256 is Node's for every length around its blocks", () => {
  for (let length = 0; length <= 260; length++) {
    const text = "é".repeat(length % 3) + "a".repeat(length);
    expect(hashOf([text])).toBe(nodesHashOf([text]));
  }
});

test("SHA-256 is Node's for a long text and for texts in pieces", () => {
  const long = "foreclaim ".repeat(20_000);
  expect(hashOf([long])).toBe(nodesHashOf([long]));
  const parts = fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 8 });
  fc.assert(
    fc.property(parts, (given) => hashOf(given) === nodesHashOf(given)),
    { numRuns: runs(200) },
  );
});

const piece = fc.constantFrom("a", "b.ts", "tools", "..", ".", "", "x.y.z", ".hidden");
const path = fc.tuple(fc.constantFrom("", "/"), fc.array(piece, { maxLength: 6 })).map(
  // A path that begins with two slashes has another meaning on some systems, and no file here has one.
  ([start, pieces]) => (start + pieces.join("/")).replace(/^\/\/+/, "/"),
);

test("paths are Node's", () => {
  fc.assert(
    fc.property(path, path, (a, b) => {
      expect(ours.normalize(a)).toBe(posix.normalize(a));
      expect(ours.join(a, b)).toBe(posix.join(a, b));
      expect(ours.resolve(a, b)).toBe(posix.resolve("/", a, b));
      expect(ours.relative(a, b)).toBe(posix.relative(posix.resolve("/", a), posix.resolve("/", b)));
      expect(ours.basename(a)).toBe(posix.basename(a));
      expect(ours.extname(a)).toBe(posix.extname(a));
      // Node does not work out repeated slashes here, and nobody asks for the folder of such a path.
      const clean = posix.normalize(a);
      expect(ours.dirname(clean)).toBe(posix.dirname(clean));
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([
  ["pay.ts", true],
  ["tools/bank.ts", true],
  [`${"a".repeat(117)}.ts`, true],
  [`${"a".repeat(118)}.ts`, false],
  ["../pay.ts", false],
  ["/pay.ts", false],
  ["tools//bank.ts", false],
  ["pay.js", false],
  [".hidden.ts", false],
  ["pay .ts", false],
])("a file of the playground may be called %s: %s", (name, isAllowed) => {
  expect(isPath(name)).toBe(isAllowed);
});
