/** Both forms of a document say all of it: written and read back it is the same, and any change of it changes its hash. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Document } from "../../src/ir/document.ts";
import { hashDocument } from "../../src/ir/hash.ts";
import { canonicalJson } from "../../src/ir/json/canonical.ts";
import { documentFromJsonText } from "../../src/ir/json/decode.ts";
import { documentToJson } from "../../src/ir/json/encode.ts";
import { defaultLimits } from "../../src/ir/limits.ts";
import { readDocument } from "../../src/ir/read.ts";
import { parseDocument } from "../../src/ir/text/parser.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { anyDocument } from "../support/arbitrary-document.ts";
import { anyProgram } from "../support/arbitrary-program.ts";
import { mutationsOf } from "../support/mutations.ts";
import { anySeed } from "../support/program/traces.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

const options = { timeout: timeout(60) };

describe.each<[string, fc.Arbitrary<Document>, number]>([
  ["any document", anyDocument().map(structuredClone<Document>), 300],
  ["a document that makes sense", anyProgram({ parallel: 1 }).map(({ document }) => document), 250],
])("%s", options, (_, documents, count) => {
  test("is the same after it was written and read, in both forms, and has one hash", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const hash = hashDocument(document);
        for (const again of [
          fromText(printDocument(document)),
          fromJson(JSON.stringify(documentToJson(document))),
        ]) {
          // The plain comparison is many times faster than the one with a good message.
          if (!isDeepStrictEqual(again, document)) expect(again).toStrictEqual(document);
          expect(hashDocument(again)).toBe(hash);
        }
        // Also through both, and with other blanks.
        const both = fromText(printDocument(fromJson(JSON.stringify(documentToJson(document), null, 3))));
        expect(hashDocument(both)).toBe(hash);
        expect(hash).toMatch(/^eir1-[0-9a-f]{64}$/);
      }),
      { numRuns: runs(count) },
    );
  });

  test("has another hash, another text and another JSON after any change", () => {
    let tried = 0;
    fc.assert(
      fc.property(documents, anySeed(), (document, seed) => {
        const hash = hashDocument(document);
        const [text, json] = [printDocument(document), canonicalJson(documentToJson(document))];
        const mutations = mutationsOf(document);
        // Some of them, spread over the whole document.
        for (let i = seed % 7; i < mutations.length; i += Math.max(1, Math.floor(mutations.length / 7))) {
          const { what, document: changed } = mutations[i]!;
          tried++;
          expect(hashDocument(changed), what).not.toBe(hash);
          expect(canonicalJson(documentToJson(changed)), what).not.toBe(json);
          // Only what cannot be written as text could look the same, and all of it can.
          expect(printDocument(changed), what).not.toBe(text);
        }
      }),
      { numRuns: runs(count / 4) },
    );
    expect(tried).toBeGreaterThan(atLeast(count));
  });
});

test("a document that makes sense makes sense in both forms", options, () => {
  fc.assert(
    fc.property(anyProgram({ parallel: 1 }), ({ document }) => {
      for (const text of [printDocument(document), JSON.stringify(documentToJson(document))]) {
        const read = readDocument(text);
        expect(read.ok ? read.value.checked.document : read.problems).toEqual(document);
      }
    }),
    { numRuns: runs(150) },
  );
});

test("the source map is beside the document, not in it", () => {
  const json = {
    effectIr: 1,
    program: {},
    sourceMap: { files: ["a.ts"], places: { "/program": [0, 1, 1, 2, 1] } },
  };
  const { sourceMap: _, ...without } = json;
  const [withMap, plain] = [fromJson(JSON.stringify(json)), fromJson(JSON.stringify(without))];
  expect(withMap).toEqual(plain);
  expect(hashDocument(withMap)).toBe(hashDocument(plain));
});

function fromText(text: string): Document {
  const parsed = parseDocument(text);
  if (parsed.ok) return parsed.value.document;
  throw new Error(
    `${parsed.problems.map(({ code, message }) => `${code} ${message}`).join("\n")}\nin:\n${text}`,
  );
}

function fromJson(text: string): Document {
  // A bound that no list can reach is for the checker of texts to refuse; here it is only read.
  const decoded = documentFromJsonText(text, { ...defaultLimits, listLength: Number.MAX_SAFE_INTEGER });
  if (decoded.ok) return decoded.value.document;
  throw new Error(
    `${decoded.problems.map(({ code, message }) => `${code} ${message}`).join("\n")}\nin:\n${text}`,
  );
}
