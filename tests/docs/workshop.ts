/** Folders in which the JavaScript and the commands of a page are run, each as in a project of its own. */

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceFile } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { build } from "../cli/built.ts";
import { type Block, blocksOf, placeOf } from "./pages.ts";

const HOME = join(ROOT, "node_modules/.cache/docs");

/** Empties the workshop and puts the package there, where `import "foreclaim"` finds what users get: the build. */
export async function openWorkshop(): Promise<void> {
  await build();
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(join(HOME, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(HOME, "node_modules/foreclaim"), "junction");
}

/** Modules that export their `result`: what each of them found wrong, as text. All in one process. */
export function resultsOf(blocks: readonly Block[]): ReadonlyMap<Block, string> {
  if (blocks.length === 0) return new Map();
  const paths = blocks.map((block) => {
    const folder = folderOf(block.page);
    const path = join(folder, `block-${block.line}.mjs`);
    writeFileSync(path, block.text);
    return path;
  });
  const list = join(HOME, "results.json");
  writeFileSync(list, JSON.stringify(paths));
  const answer = node([join(ROOT, "tests/docs/results.mjs"), list], HOME);
  if (answer.status !== 0) throw new Error(answer.stderr);
  const texts: readonly string[] = JSON.parse(answer.stdout);
  return new Map(blocks.map((block, i) => [block, texts[i] ?? ""]));
}

/** Does what the page does, from top to bottom; gives what each script and each transcript then says. */
export function workThrough(page: SourceFile): ReadonlyMap<Block, string> {
  const folder = folderOf(page.path);
  const memory: Memory = { receipt: "" };
  const said = new Map<Block, string>();
  for (const block of blocksOf(page)) {
    const { language, words, text } = block;
    const file = words.get("file") ?? (language === "js" ? `block-${block.line}.mjs` : undefined);
    if (file !== undefined) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    if (language === "console") said.set(block, transcript(block, folder, memory));
    if (language !== "js" || file === undefined || isResult(block)) continue;
    const answer = node([file], folder);
    if (answer.status !== 0) throw new Error(`${placeOf(block)}:\n${answer.stderr}`);
    said.set(block, answer.stdout);
  }
  return said;
}

/** Returns true if the block exports a `result`, rather than printing. */
export function isResult({ language, words }: Block): boolean {
  return language === "js" && (words.has("ok") || words.has("fails"));
}

/** Values that later commands of a page may use: `$receipt` is the last one printed. */
interface Memory {
  receipt: string;
}

/** Replaces texts that vary: durations, times, and hashes over those. */
function settled(text: string): string {
  return text
    .replace(/"ms":\d+/g, '"ms":12')
    .replace(/("time":)\d{13}/g, "$11769860800000")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-01-31 12:00:00")
    .replace(/\b([rs]\d+-)[0-9a-f]{64}\b/g, "$14f0c...")
    .replace(/\b([rs]\d+-)[0-9a-f]{8}\.\.\./g, "$14f0c2d1a...")
    .replace(/("(?:hash|head|prev)":")[0-9a-f]{64}"/g, '$14f0c..."')
    .replace(/\bhead [0-9a-f]{64}\b/g, "head 4f0c...");
}

/** The commands of a transcript, each with what it really says. */
function transcript(block: Block, folder: string, memory: Memory): string {
  let status = 0;
  const lines: string[] = [];
  for (const line of block.text.split("\n").filter((one) => one.startsWith("$ "))) {
    // A long answer is set apart from the next command.
    const before = lines.at(-1) ?? "";
    lines.push(`${before.split("\n").length > 4 && line !== "$ echo $?" ? "\n" : ""}${line}\n`);
    if (line === "$ echo $?") {
      lines.push(`${status}\n`);
      continue;
    }
    const [, command = "", target] = /^\$ foreclaim (.*?)(?: > ([\w.-]+))?$/.exec(line) ?? [];
    if (command === "") throw new Error(`${placeOf(block)}: only \`foreclaim\` can be run: ${line}`);
    const answer = node(
      [join(ROOT, "dist/cli/main.js"), ...wordsOf(command.replaceAll("$receipt", memory.receipt))],
      folder,
    );
    memory.receipt = answer.stdout.match(/\b[rs]\d+-[0-9a-f]{64}\b/g)?.at(-1) ?? memory.receipt;
    status = answer.status ?? 70;
    if (target !== undefined) writeFileSync(join(folder, target), answer.stdout);
    lines.push(settled((target === undefined ? answer.stdout : "") + answer.stderr));
  }
  return lines.join("");
}

/** As a shell would split them; only single quotes are known. */
function wordsOf(command: string): string[] {
  return Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
}

function folderOf(page: string): string {
  const folder = join(HOME, page.replace(/\.md$/, ""));
  mkdirSync(folder, { recursive: true });
  return folder;
}

function node(args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "100", FORCE_COLOR: undefined };
  return spawnSync(process.execPath, args, { cwd, encoding: "utf8", env });
}
