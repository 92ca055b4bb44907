/** Quotations of sources on pages, and values of expressions. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { equal, printValue, readJson } from "../../src/ir/index.ts";
import { evaluateText } from "./expressions.ts";
import { type Block, blocksOf, pages, placeOf } from "./pages.ts";

const blocks = pages.flatMap(blocksOf);
const named = (wanted: readonly Block[]) => wanted.map((block) => [placeOf(block), block] as const);

describe("quotations stand in the file they are from", () => {
  const quotations = blocks.filter(
    ({ language, words }) =>
      (language === "ts" && !["file", "ok", "fails", "lines"].some((word) => words.has(word))) ||
      language === "ebnf",
  );

  test.each(named(quotations))("%s", (_, { language, words, text }) => {
    const path = language === "ebnf" ? "src/ir/text/grammar.ebnf" : (words.get("from") ?? "");
    expect(plain(readFileSync(join(ROOT, path), "utf8"))).toContain(plain(text));
  });
});

describe("expressions give what the comment beside them says", () => {
  test.each(named(blocks.filter(({ words }) => words.has("values"))))("%s", (_, { text }) => {
    for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
      const [expression = "", said] = line.split(" // ");
      if (said === undefined) throw new Error(`nothing is said of ${line}`);
      const found = evaluateText(expression).value;
      expect(equal(found, evaluateText(said).value), `${expression} gives ${printValue(found)}`).toBe(true);
    }
  });
});

describe("JSON is JSON", () => {
  const json = blocks.filter(({ language, words }) => language === "json" && !words.has("fails"));

  test.each(named(json))("%s", (_, { text }) => {
    expect(readJson(text).ok).toBe(true);
  });
});

/** Line ends and indentation do not matter, and comments of the grammar are omitted. */
function plain(text: string): string {
  return text
    .replaceAll(/\(\*[\s\S]*?\*\)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
