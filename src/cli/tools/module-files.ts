/** The files of modules below tools folders. */

import { dirname, join } from "node:path";
import { append } from "../../ir/append.ts";
import { folderWords, isAbsent, posix, shown } from "../config.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Every `tools` beside a program in the folder, or above it. */
export async function usualFolders(terminal: Terminal, from: string): Promise<string[]> {
  const found: string[] = [];
  for (let folder = posix(from); ; folder = dirname(folder)) {
    const tools = join(folder, "tools");
    const listing = await terminal.listFolder(tools);
    if (listing.kind === "entries") found.push(posix(tools));
    if (folder === dirname(folder)) return found;
  }
}

/** LIMIT: of folders inside one another. */
const deepest = 20;

export async function modulesIn(terminal: Terminal, folder: string, depth = 0): Promise<Attempt<string[]>> {
  const listing = await terminal.listFolder(folder);
  if (listing.kind === "failed") {
    if (isAbsent(listing.code)) return attained([]);
    const message = `cannot read \`${shown(folder)}\`: ${folderWords(listing.code)}`;
    return failedAttempt(plainFailure("FC9002", message));
  }
  const files: string[] = [];
  for (const { name, kind } of listing.entries) {
    const path = `${folder}/${name}`;
    if (kind === "file" && /\.[cm]?ts$/.test(name) && !/\.(d|test|spec)\.[cm]?ts$/.test(name))
      files.push(path);
    if (kind !== "folder" || name.startsWith(".") || name === "node_modules") continue;
    if (depth === deepest) {
      const message = `\`${shown(folder)}\` is nested deeper than ${deepest} folders`;
      return failedAttempt(plainFailure("FC9002", message));
    }
    const inner = await modulesIn(terminal, path, depth + 1);
    if (!inner.ok) return inner;
    append(files, inner.value);
  }
  return attained(files);
}
