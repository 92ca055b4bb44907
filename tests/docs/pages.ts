/** The documentation as data: its pages, and the fenced blocks on them. The conventions are in docs/README.md. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readFiles, type SourceFile } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";

export interface Block {
  readonly page: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language: `fails=FC1203` is `fails` → `FC1203`, `ok` is `ok` → ``. */
  readonly words: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Every page whose blocks are held to the conventions. */
export const pages: readonly SourceFile[] = readFiles(isPage);

/** As it is now: another test may have brought it up to date since. */
export function pageNow(path: string): SourceFile {
  return { path, text: readFileSync(join(ROOT, path), "utf8") };
}

function isPage(path: string): boolean {
  return /^(?:docs\/.*|README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\.md$/.test(path);
}

export function blocksOf({ path, text }: SourceFile): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly block: Block; readonly lines: string[] } | undefined;
  text.split("\n").forEach((line, index) => {
    if (open !== undefined) {
      if (line !== open.fence) {
        open.lines.push(line);
        return;
      }
      blocks.push({ ...open.block, text: open.lines.map((one) => `${one}\n`).join("") });
      open = undefined;
      return;
    }
    const start = /^(`{3,})(.*)$/.exec(line);
    if (start === null) return;
    const [, fence = "", info = ""] = start;
    const [language = "", ...words] = info.trim().split(/\s+/);
    const block = { page: path, line: index + 1, language, words: new Map(words.map(wordOf)), text: "" };
    open = { fence, block, lines: [] };
  });
  if (open !== undefined) throw new Error(`${path}:${open.block.line}: the block has no end`);
  return blocks;
}

/** `docs/reference/cli.md:12`, to be clicked on when it fails. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

function wordOf(word: string): [string, string] {
  const [name = "", ...value] = word.split("=");
  return [name, value.join("=")];
}
