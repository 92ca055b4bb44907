/**
 * Folders of trusted tool modules: those named with `--tools`, or by the nearest `foreclaim.json`, or every
 * `tools` beside the program or above it. What is wrong here is an error and never "no folders": it decides trust.
 */
import { dirname, join, resolve } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { posix, shown } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { textOf } from "../files/source.ts";
import { systemWords } from "../files/system-words.ts";

/** LIMIT: a few lines that are written by hand. */
const mostBytes = 64 * 1024;

/** As the front end names files: absolute, with slashes. Undefined where the usual places are meant. */
export async function toolFolders(
  fs: SourceFiles,
  folder: string,
  given: readonly string[] | undefined,
): Promise<Result<readonly string[] | undefined, Failure>> {
  const named = given === undefined ? configured(fs, folder) : ok({ from: "--tools", folders: given });
  if (!named.ok) return named;
  if (named.value === undefined) return ok(undefined);
  for (const one of named.value.folders) {
    const listing = await fs.listFolder(one);
    if (listing.kind === "failed") {
      const message = `cannot read the folder \`${shown(one)}\`, which ${named.value.from} names: ${folderWords(listing.code)}`;
      const help = one.includes(",") ? "give each folder its own `--tools`" : undefined;
      return plainFailure("FC9002", message, help);
    }
  }
  return ok(named.value.folders.map(posix));
}

/** Returns true if the system says that there is nothing. */
export function isAbsent(code: string): boolean {
  return code === "ENOENT" || code === "ENOTDIR";
}

export function folderWords(code: string): string {
  if (code === "ENOENT") return "there is no such folder";
  return code === "ENOTDIR" ? "it is not a folder" : systemWords(code);
}

interface Named {
  readonly from: string;
  readonly folders: readonly string[];
}

function configured(fs: SourceFiles, start: string): Result<Named | undefined, Failure> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const file = join(folder, "foreclaim.json");
    const read = fs.readFileNow(file, mostBytes);
    if (read.kind !== "failed" || !isAbsent(read.code)) {
      const source = textOf(shown(file), read, mostBytes);
      return source.ok ? named(shown(file), source.value.text, folder) : source;
    }
    if (folder === dirname(folder)) return ok(undefined);
  }
}

function named(file: string, text: string, folder: string): Result<Named | undefined, Failure> {
  const wrong = (message: string) => plainFailure("FC9001", message, 'it looks like {"tools": ["./tools"]}');
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch {
    return wrong(`\`${file}\` is not JSON`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config))
    return wrong(`\`${file}\` is not an object`);
  const unknown = Object.keys(config).find((name) => name !== "tools" && name !== "mcp");
  if (unknown !== undefined) return wrong(`\`${file}\` has an unknown field \`${unknown}\``);
  const tools: unknown = Reflect.get(config, "tools");
  if (tools === undefined) return ok(undefined);
  const names: readonly unknown[] = Array.isArray(tools) ? tools : [undefined];
  const folders = names.filter((one) => typeof one === "string");
  if (folders.length < names.length) return wrong(`\`tools\` of \`${file}\` is not a list of folders`);
  return ok({ from: `\`${file}\``, folders: folders.map((name) => resolve(folder, name)) });
}
