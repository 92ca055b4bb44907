/** Every module, policy and program on a page that is for `foreclaim lint` has the finding that its block says, or none. */

import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeHost } from "../cli/fake-host.ts";
import { outputsOf, withTexts } from "./fill.ts";
import { type Block, blocksOf, pageNow, pages, placeOf } from "./pages.ts";

const linted = pages.flatMap(blocksOf).filter(isLinted);

describe("what is for lint on the pages", () => {
  test.each(linted.map((block) => [placeOf(block), block] as const))("%s", async (_, block) => {
    const said = block.words.get("fails");
    const host = await lint(block, ["--json"]);
    const { findings } = JSON.parse(host.out());
    const codes = findings.map(({ code }: { readonly code: string }) => code);
    expect([...new Set(codes)], host.out() + host.err()).toEqual(said === undefined ? [] : [said]);
  });
});

describe("the outputs below it are what one sees", () => {
  const withOutputs = pages.filter((page) => outputsOf(page).some(({ of }) => isLinted(of)));

  test.each(withOutputs.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    const texts = new Map<Block, string>();
    for (const { output, of } of outputsOf(page))
      if (isLinted(of)) texts.set(output, (await lint(of, [])).out());
    await expect(withTexts(page, texts)).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

function isLinted({ words }: Block): boolean {
  return words.has("lint");
}

async function lint({ page, words, text }: Block, options: readonly string[]) {
  const beside = blocksOf(pageNow(page)).filter((one) => one.words.has("file") && !isLinted(one));
  const path = words.get("file") ?? "";
  const files = Object.fromEntries(beside.map((one) => [one.words.get("file") ?? "", one.text]));
  const host = fakeHost({ files: { ...files, [path]: text } });
  await runCli(["lint", path, ...options], host, "0.0.0");
  return host;
}
