/** Every plan on every page does what its block says: nothing is found in it, or only what has this code. */

import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { problemOf } from "../../src/cli/commands/plan/render.ts";
import { compileTools } from "../../src/frontend/index.ts";
import {
  defaultPlanLimits,
  lower,
  optimize,
  type Plan,
  readPlan,
  ToolBook,
  type ToolDeclarations,
  verify,
} from "../../src/plan/index.ts";
import { structureOf } from "../../src/plan/strict/structure.ts";
import { outputsOf, problemsText, withTexts } from "./fill.ts";
import { type Block, blocksOf, pageNow, pages, placeOf } from "./pages.ts";

const plans = pages.flatMap(blocksOf).filter(isPlan);

describe("the plans on the pages", () => {
  test.each(plans.map((block) => [placeOf(block), block] as const))("%s", (_, block) => {
    const said = block.words.get("fails");
    const found = new Set(findingsOf(block).map(({ code }) => code));
    expect([...found]).toEqual(said === undefined ? [] : [said]);
  });
});

describe("the outputs below them are what one sees", () => {
  const withOutputs = pages.filter((page) => outputsOf(page).some(({ of }) => isPlan(of)));

  test.each(withOutputs.map(({ path }) => path))("%s", async (path) => {
    const page = pageNow(path);
    const texts = new Map<Block, string>();
    for (const { output, of } of outputsOf(page)) {
      if (isPlan(of)) texts.set(output, problemsText(of, findingsOf(of)));
    }
    await expect(withTexts(page, texts)).toMatchFileSnapshot(`${ROOT}/${path}`);
  });
});

function isPlan({ language, words }: Block): boolean {
  return language === "json" && words.has("plan") && (words.has("ok") || words.has("fails"));
}

/** The tool modules that stand on the same page. */
function modulesFor({ page }: Block): { readonly book: ToolBook; readonly declarations: ToolDeclarations } {
  const modules = blocksOf(pageNow(page)).filter(
    ({ language, words }) => language === "ts" && words.has("file"),
  );
  const files = new Map(modules.map(({ words, text }) => [words.get("file") ?? "", text]));
  const compiled = compileTools([...files.keys()], { readFile: (path) => files.get(path) });
  if (!compiled.ok) throw new Error(`${page}: ${compiled.problems[0]?.message}`);
  const book = ToolBook.from(compiled.value);
  if (!book.ok) throw new Error(`${page}: ${book.problems[0]?.message}`);
  return { book: book.value, declarations: compiled.value };
}

function lowering(block: Block, plan: Plan) {
  const { book, declarations } = modulesFor(block);
  const structure = structureOf(plan, { book });
  if (structure.kind === "broken") return structure;
  const maxCalls = Number(block.words.get("limits.calls") ?? defaultPlanLimits.calls);
  return lower(plan, structure, { book, declarations, guarantees: [], maxCalls });
}

function findingsOf(block: Block) {
  const { text, words } = block;
  const read = readPlan(text);
  if (!read.ok) return read.problems;
  const tools = words.get("tools");
  const given = {
    maxActions: Number(words.get("limits.actions") ?? defaultPlanLimits.actions),
    ...(words.has("modules") && { book: modulesFor(block).book }),
    ...(words.has("empty") && { state: new Map() }),
  };
  if (words.has("optimize")) {
    const found = optimize(read.value.plan, given);
    return "findings" in found ? found.findings.map((finding) => problemOf(finding, read.value)) : [];
  }
  if (words.has("prove")) {
    const found = lowering(block, read.value.plan);
    return "findings" in found ? found.findings.map((finding) => problemOf(finding, read.value)) : [];
  }
  const { findings } = verify(read.value.plan, {
    ...given,
    warnings: read.value.warnings,
    ...(tools !== undefined && { knownTools: new Set(tools.split(",")) }),
  });
  return findings.map((finding) => problemOf(finding, read.value));
}
