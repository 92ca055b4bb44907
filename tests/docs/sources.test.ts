/** Every program and tool module on every page compiles, or fails in exactly the way that its block says. */

import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { outputsOf, withTexts } from "./fill.ts";
import { type Block, blocksOf, pageNow, pages, placeOf } from "./pages.ts";
import { problemsIn, shownProblems, sourcesOf } from "./sources.ts";

const examples = pages.flatMap((page) => sourcesOf(blocksOf(page)));

describe("the programs and tool modules on the pages", () => {
  test.each(examples.map((example) => [placeOf(example.block), example] as const))("%s", (_, example) => {
    const problems = problemsIn(example);
    const said = example.block.words.get("fails");
    const found = [...new Set(problems.map(({ code }) => code))];
    expect(found, JSON.stringify(problems)).toEqual(said === undefined ? [] : [said]);
  });
});

describe("the outputs below them are what one sees", () => {
  const withOutputs = pages.filter((page) => outputsOf(page).some(({ of }) => isSource(of)));

  test.each(withOutputs.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    const found = sourcesOf(blocksOf(page));
    const texts = new Map<Block, string>();
    for (const { output, of } of outputsOf(page).filter(({ of }) => isSource(of))) {
      const example = found.find(({ block }) => block.line === of.line);
      if (example === undefined) throw new Error(`${placeOf(output)}: an output of no example`);
      texts.set(output, shownProblems(example, problemsIn(example)));
    }
    await expect(withTexts(page, texts)).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

function isSource({ language, words }: Block): boolean {
  return language === "ts" && !words.has("lint") && (words.has("ok") || words.has("fails"));
}
