/** Every script and every transcript on every page does what the page says, run as its reader would run it. */

import { beforeAll, describe, expect, test } from "vitest";
import type { SourceFile } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { outputsOf, withTexts } from "./fill.ts";
import { type Block, blocksOf, pageNow, pages } from "./pages.ts";
import { isResult, openWorkshop, resultsOf, workThrough } from "./workshop.ts";

const withResults = pages.filter((page) => blocksOf(page).some(isResult));
const withScripts = pages.filter((page) => blocksOf(page).some(isScript));
let results: ReadonlyMap<string, string>;

beforeAll(async () => {
  await openWorkshop();
  const found = resultsOf(withResults.flatMap((page) => blocksOf(page).filter(isResult)));
  results = new Map([...found].map(([{ page, line }, text]) => [`${page}:${line}`, text]));
});

describe("modules that export a result", () => {
  test.each(withResults.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    const said = new Map<Block, string>();
    for (const block of blocksOf(page).filter(isResult)) {
      const text = results.get(`${block.page}:${block.line}`) ?? "";
      const codes = new Set(Array.from(text.matchAll(/^FC\d{4}/gm), ([code]) => code));
      const code = block.words.get("fails");
      expect([...codes], text).toEqual(code === undefined ? [] : [code]);
      said.set(block, text);
    }
    await expect(withOutputs(page, said)).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

describe("scripts and transcripts", () => {
  test.each(withScripts.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    await expect(withOutputs(page, workThrough(page))).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

/** The page with what was said in its transcripts, and in the outputs below its scripts. */
function withOutputs(page: SourceFile, said: ReadonlyMap<Block, string>): string {
  const texts = new Map<Block, string>();
  const byLine = new Map([...said].map(([block, text]) => [block.line, text]));
  for (const block of blocksOf(page)) {
    const text = byLine.get(block.line);
    if (block.language === "console" && text !== undefined) texts.set(block, text);
  }
  for (const { output, of } of outputsOf(page)) {
    const text = byLine.get(of.line);
    if (of.language === "js" && text !== undefined) texts.set(output, text);
  }
  return withTexts(page, texts);
}

function isScript(block: Block): boolean {
  return block.language === "console" || (block.language === "js" && !isResult(block));
}
