/**
 * Pages with parts that are made, not written: outputs below examples, and regions between
 * `<!-- made: name -->` and `<!-- end -->`. A test makes them again and compares the whole page, so that
 * `npx vitest run -u tests/docs` brings every page up to date.
 */

import type { SourceFile } from "../../scripts/rooms.mjs";
import { renderProblems } from "../../src/cli/diagnostics.ts";
import type { Diagnostic } from "../../src/ir/index.ts";
import { type Block, blocksOf } from "./pages.ts";

/** The block that an output belongs to: the last one above it that does something. */
export function outputsOf(page: SourceFile): { readonly output: Block; readonly of: Block }[] {
  const found: { output: Block; of: Block }[] = [];
  let last: Block | undefined;
  for (const block of blocksOf(page)) {
    if (isOutput(block)) {
      if (last === undefined) throw new Error(`${page.path}:${block.line}: an output of nothing`);
      found.push({ output: block, of: last });
    } else if (!isCompanion(block)) last = block;
  }
  return found;
}

/** The page with these blocks saying something else. */
export function withTexts(page: SourceFile, texts: ReadonlyMap<Block, string>): string {
  const lines = page.text.split("\n");
  const blocks = [...texts].sort(([a], [b]) => b.line - a.line);
  for (const [block, text] of blocks) {
    const length = block.text.split("\n").length - 1;
    lines.splice(block.line, length, ...text.replace(/\n$/, "").split("\n"));
  }
  return lines.join("\n");
}

const region = /(<!-- made: ([\w-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

export function regionsOf(page: SourceFile): string[] {
  return Array.from(page.text.matchAll(region), ([, , name = ""]) => name);
}

export function withRegions(page: SourceFile, make: (name: string) => string): string {
  return page.text.replaceAll(region, (_, start: string, name: string, end: string) => {
    return `${start}\n${make(name).trim()}\n${end}`;
  });
}

/** As the command line shows them. */
export function problemsText(block: Block, problems: readonly Diagnostic<string, never>[]): string {
  if (problems.length === 0) return "";
  const file = `example.${block.language}`;
  const look = { colour: false, unicode: false, columns: 100 };
  return renderProblems({ source: block.text, file, problems }, look);
}

function isOutput({ language, words }: Block): boolean {
  return language === "text" && words.has("output");
}

/** Returns true for a block that only serves the block above it. */
function isCompanion({ language, words }: Block): boolean {
  return language === "json" && (words.has("mocks") || words.has("inputs"));
}
