import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDocument, anyString } from "../../../tests/support/arbitrary-document.ts";
import { runs } from "../../../tests/support/runs.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { defaultLimits } from "../limits.ts";
import { parseDocument, parseExpr } from "./parser.ts";
import { printDocument } from "./printer.ts";
import { infixes, prefixes, reserved, signs } from "./syntax.ts";

const tokens = [
  ...reserved,
  ...infixes.keys(),
  ...prefixes.keys(),
  ...[...signs.values()].flat(),
  ..."effect-ir modules fluent tool program guarantee labels reads requires ensures sets cost max by rows label".split(
    " ",
  ),
  ..."bool int list option record enum count sum min distinct always precedes result flows ratio input".split(
    " ",
  ),
  ..."untrusted stores endorses readers field inputs influenced mayRead automaton states start on error".split(
    " ",
  ),
  ..."x y bank.pay `a b` `` 0 1 0.5 1e5 007".split(" "),
  ...[
    '"a"',
    '""',
    '"',
    "`",
    "'",
    "\\",
    "//",
    "/*",
    ";",
    "&&",
    "\n",
    "\r",
    "\t",
    "\u0000",
    "é",
    "\ud800",
    "\ufeff",
  ],
];

/** For any text: no exception, and a document or problems that each have a place in it. */
function mustHold(text: string): void {
  for (const parse of [parseDocument, parseExpr]) {
    const read = parse(text);
    if (read.ok) continue;
    expect(read.problems.length).toBeGreaterThan(0);
    expect(read.problems.filter((problem) => !isWellFormed(problem, text.length))).toStrictEqual([]);
    const starts = read.problems.map(({ span }) => span?.start ?? -1);
    expect(starts).toStrictEqual([...starts].sort((a, b) => a - b));
  }
}

function isWellFormed({ code, message, span }: Diagnostic, length: number): boolean {
  if (span === undefined || span.start < 0 || span.end < span.start || span.end > length) return false;
  return /^FC1[0-4]/.test(code) && /^[^A-Z].*[^.]$/u.test(message);
}

test("any text", () => {
  fc.assert(fc.property(fc.oneof(anyString(), fc.string({ unit: "binary" })), mustHold), {
    numRuns: runs(500),
  });
});

test("any words and signs", () => {
  const soup = fc.array(fc.constantFrom(...tokens), { maxLength: 60 });
  const blank = fc.constantFrom(" ", "\n", "");
  const opening = fc.constantFrom(
    "",
    "effect-ir 1\n",
    "effect-ir 1 program () {\n",
    "effect-ir 1 tool a()\n",
    "effect-ir 1 guarantee g(): ",
  );
  fc.assert(
    fc.property(opening, soup, blank, (start, words, between) => mustHold(start + words.join(between))),
    { numRuns: runs(2000) },
  );
});

test("documents with a change", () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(8),
    insert: fc.oneof(fc.constant(""), fc.constantFrom(...tokens)),
  });
  fc.assert(
    fc.property(anyDocument(), fc.array(change, { minLength: 1, maxLength: 4 }), (document, changes) => {
      let text = printDocument(document);
      for (const { at, remove, insert } of changes) {
        const from = Math.floor(at * text.length);
        text = text.slice(0, from) + insert + text.slice(from + remove);
      }
      mustHold(text);
      const read = parseDocument(text);
      // What is still a document must be printed as one that reads the same.
      if (read.ok) {
        const again = parseDocument(printDocument(read.value.document));
        expect(again.ok && again.value.document).toStrictEqual(read.value.document);
      }
    }),
    { numRuns: runs(300) },
  );
});

test("any words and signs under small limits", () => {
  const limits = { ...defaultLimits, depth: 3, nodes: 10, nameLength: 4, stringLength: 2, numberBits: 64 };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 60 }), (words) => {
      const read = parseDocument(`effect-ir 1 program () { ${words.join(" ")}`, limits);
      expect(read.ok ? 0 : read.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: runs(500) },
  );
});
