/** Every line of TypeScript on a page gives what stands beside it, and what is called refused is. */

import { describe, expect, test } from "vitest";
import { equal, printValue } from "../../src/ir/index.ts";
import { answerOf, inJavaScript, linesOf, problemsOf, refusedIn } from "./lines.ts";
import { blocksOf, pages, placeOf } from "./pages.ts";

const lines = pages
  .flatMap(blocksOf)
  .filter(({ words }) => words.has("lines"))
  .flatMap((block) => linesOf(block).map((line) => ({ place: placeOf(block), ...line })));

describe("lines give what the comment beside them says", () => {
  test.each(lines)("$place: $code", async ({ code, said, javaScript }) => {
    const found = await answerOf(code);
    if (/^FC\d{4}$/.test(said)) {
      expect(found).toEqual({ kind: "refused", codes: [said] });
      return;
    }
    if (said.startsWith("stops: ")) {
      expect(found).toEqual({ kind: "stopped", code: said.slice("stops: ".length) });
      return;
    }
    const expected = await answerOf(`(${said})`);
    if (found.kind !== "value" || expected.kind !== "value") {
      expect(found).toEqual(expected);
      return;
    }
    const [a, b] = [found.value, expected.value];
    const same = a === undefined || b === undefined ? a === b : equal(a, b);
    expect(same, a === undefined ? "undefined" : printValue(a)).toBe(true);
    expect(await inJavaScript(code), "in JavaScript").toBe(await inJavaScript(`(${javaScript ?? said})`));
  });
});

describe("what tables call refused is, and what they call right is not", () => {
  const tables = pages.map(({ path, text }) => ({ path, ...refusedIn(text) }));
  const refused = tables.flatMap((table) => table.refused.map((one) => ({ path: table.path, ...one })));
  const instead = tables.flatMap((table) => table.instead.map((code) => ({ path: table.path, code })));

  test.each(refused)("$path: $code", ({ code, error }) => {
    expect(problemsOf(code)).toEqual([error]);
  });

  test.each(instead)("$path: $code", ({ code }) => {
    expect(problemsOf(code)).toEqual([]);
  });
});
