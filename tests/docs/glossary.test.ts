/** Every term of the glossary has the name in the code that its row gives. */

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";

const path = "docs/glossary.md";
const rows = [
  ...readFileSync(join(ROOT, path), "utf8").matchAll(
    /^\| \*\*([^*]+)\*\*: ([^|]+) \| \[`([^`]+)`\]\(([^)]+)\) \| ([^|]+) \|$/gm,
  ),
].map(([, term = "", meaning = "", name = "", target = "", field = ""]) => {
  return { term, meaning, name, file: posix.join(posix.dirname(path), target), field };
});

describe("the glossary", () => {
  test("has its terms, each once", () => {
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
    expect(rows.filter(({ meaning, field }) => meaning.trim() === "" || field.trim() === "")).toEqual([]);
  });

  test.each(rows)("$term is `$name`", ({ name, file }) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    if (name === posix.basename(file)) return;
    expect(text).toMatch(
      new RegExp(
        `export (?:async )?(?:function\\*?|class|interface|type|const) ${name}\\b|^ {2}(?:type )?${name},$`,
        "m",
      ),
    );
  });
});
