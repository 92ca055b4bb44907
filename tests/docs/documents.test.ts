/** Every document on every page does what its block says: it is fine, or it fails in exactly this way. */

import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { examplesOf, tryOut } from "./examples.ts";
import { outputsOf, problemsText, withTexts } from "./fill.ts";
import { type Block, blocksOf, pageNow, pages, placeOf } from "./pages.ts";

const examples = pages.flatMap((page) => examplesOf(blocksOf(page)));

describe("the documents on the pages", () => {
  test.each(examples.map((example) => [placeOf(example.document), example] as const))(
    "%s",
    async (_, example) => {
      const { problems, verdicts } = await tryOut(example);
      const said = example.document.words.get("fails");
      expect([...new Set(problems.map(({ code }) => code))]).toEqual(said === undefined ? [] : [said]);
      expect(verdicts.map(({ guarantee, found }) => `${guarantee} // ${found}`)).toEqual(
        verdicts.map(({ guarantee, said }) => `${guarantee} // ${said}`),
      );
    },
  );
});

describe("the outputs below them are what one sees", () => {
  const withOutputs = pages.filter((page) => outputsOf(page).some(({ of }) => isDocument(of)));

  test.each(withOutputs.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    const found = examplesOf(blocksOf(page));
    const texts = new Map<Block, string>();
    for (const { output, of } of outputsOf(page).filter(({ of }) => isDocument(of))) {
      const example = found.find(({ document }) => document.line === of.line);
      if (example === undefined) throw new Error(`${placeOf(output)}: an output of no example`);
      texts.set(output, problemsText(of, (await tryOut(example)).problems));
    }
    await expect(withTexts(page, texts)).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

function isDocument({ language, words }: Block): boolean {
  return language === "eir" || (language === "json" && !words.has("plan") && !words.has("lint"));
}
