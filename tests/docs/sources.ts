/** Compiles tool modules and programs on a page, and renders their problems. */

import { renderProblems } from "../../src/cli/diagnostics.ts";
import {
  compileProgram,
  compileTools,
  defaultFrontLimits,
  type FrontLimits,
  type SourceDiagnostic,
} from "../../src/frontend/index.ts";
import type { Diagnostic } from "../../src/ir/index.ts";
import { type Block, blocksOf, pageNow } from "./pages.ts";

/** A program or a tool module on a page, with the files that it can import. */
export interface SourceExample {
  readonly block: Block;
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The module that every example may import stands on the page that lists the codes. */
const shared = "docs/reference/errors/README.md";

/** TypeScript that says `ok` or `fails`; a `file` above it on its page is there for it too. */
export function sourcesOf(blocks: readonly Block[]): SourceExample[] {
  const examples: SourceExample[] = [];
  const files: Record<string, string> = {};
  for (const block of blocks.filter(({ language }) => language === "ts")) {
    const path = block.words.get("file") ?? "program.ts";
    // What is for lint compiles whether something is found in it or not.
    if (block.words.has("lint")) continue;
    if (block.words.has("ok") || block.words.has("fails")) {
      const here = { ...sharedFiles(), ...files, [path]: block.text };
      examples.push({ block, path, files: here });
    } else if (block.words.has("file")) files[path] = block.text;
  }
  return examples;
}

export function sharedFiles(): Record<string, string> {
  const found = blocksOf(pageNow(shared)).filter(({ words }) => words.has("file"));
  return Object.fromEntries(found.map(({ words, text }) => [words.get("file"), text]));
}

export function problemsIn({ block, path, files }: SourceExample): readonly SourceDiagnostic[] {
  const host = { readFile: (one: string) => files[one] };
  const limits = frontLimitsOf(block);
  const compile = () =>
    path.startsWith("tools/") ? compileTools([path], host, limits) : compileProgram(path, host, limits);
  const result = compile();
  return result.ok ? [] : result.problems;
}

function frontLimitsOf({ words }: Block): FrontLimits {
  const changed: Record<string, number> = {};
  for (const [word, value] of words) {
    const [, name] = /^limits\.(\w+)$/.exec(word) ?? [];
    if (name === undefined) continue;
    if (!Object.hasOwn(defaultFrontLimits, name)) throw new Error(`there is no limit ${name}`);
    changed[name] = Number(value);
  }
  return { ...defaultFrontLimits, ...changed };
}

/** As the command line shows them: those of the first file that has some. */
export function shownProblems({ files }: SourceExample, problems: readonly SourceDiagnostic[]): string {
  const [first] = problems;
  if (first === undefined) return "";
  const here = problems.filter((one) => one.file === first.file);
  const look = { colour: false, unicode: false, columns: 100 };
  const shown: Diagnostic<string>[] = here.map((one) => ({ ...one, path: [] }));
  return renderProblems({ source: files[first.file] ?? "", file: first.file, problems: shown }, look);
}
