import { describe, expect, test } from "vitest";
import { blocksOf, pages, placeOf } from "./pages.ts";

describe("the reader of blocks", () => {
  const page = {
    path: "docs/a.md",
    text: "# A\n\n```eir fails=FC1203 limits.depth=5\nx\n\ny\n```\n\n````text\n```\n````\n",
  };

  test("finds each block with its words, its text and its place", () => {
    expect(blocksOf(page)).toEqual([
      {
        page: "docs/a.md",
        line: 3,
        language: "eir",
        words: new Map([
          ["fails", "FC1203"],
          ["limits.depth", "5"],
        ]),
        text: "x\n\ny\n",
      },
      { page: "docs/a.md", line: 9, language: "text", words: new Map(), text: "```\n" },
    ]);
  });

  test("objects to a block without an end", () => {
    const open = { path: "docs/a.md", text: "```eir\nx\n" };
    expect(() => blocksOf(open)).toThrow("docs/a.md:1: the block has no end");
  });
});

/** Every word that a block may carry. What is not here is misspelt, and would not be looked at. */
const known: ReadonlyMap<string, RegExp> = new Map([
  ["eir", /^(?:ok|values|fails=FC\d{4}|limits\.\w+=\d+|file=[\w.-]+)$/],
  [
    "json",
    /^(?:ok|lint|mocks|inputs|plan|empty|modules|optimize|prove|tools=[\w.,]+|fails=FC\d{4}|limits\.\w+=\d+|file=[\w.-]+)$/,
  ],
  ["js", /^(?:ok|fails=FC\d{4}|file=[\w.-]+)$/],
  ["console", /^$/],
  [
    "ts",
    /^(?:ok|lint|lines|fails=FC\d{4}|limits\.\w+=\d+|from=(?:src|examples|tests)\/[\w./-]+\.(?:ts|mjs)|file=[\w./-]+\.ts)$/,
  ],
  ["ebnf", /^$/],
  ["text", /^output$/],
  ["sh", /^$/],
  ["sql", /^$/],
  // Compared with the proofs by tests/proofs/drift.test.ts.
  ["coq", /^$/],
]);

describe("every block says in known words what it is", () => {
  test.each(pages.map((page) => [page.path, page] as const))("%s", (_, page) => {
    const strange = blocksOf(page).filter(({ language, words }) => {
      const pattern = known.get(language);
      const said = [...words].map(([name, value]) => (value === "" ? name : `${name}=${value}`));
      return pattern === undefined || said.some((word) => !pattern.test(word));
    });
    expect(strange.map(placeOf)).toEqual([]);
  });
});
