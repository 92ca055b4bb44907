/** The tool modules that a program in a folder could import, compiled. */
import { dirname, join } from "node:path";
import { type CompiledTools, compileTools } from "../../frontend/index.ts";
import { folderWords, isAbsent, posix, shown, toolFolders } from "../config.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { failuresOf, Modules } from "../load-program.ts";
import type { Terminal } from "../terminal.ts";

/** What the modules below one tools folder declare. */
export interface VisibleFolder {
  /** As the front end names it. */
  readonly folder: string;
  readonly compiled: CompiledTools;
}

export type Visible =
  | { readonly kind: "found"; readonly folders: readonly VisibleFolder[] }
  | { readonly kind: "failed"; readonly failures: readonly Failure[] };

export async function visibleTools(
  terminal: Terminal,
  from: readonly string[],
  tools: readonly string[] | undefined,
): Promise<Visible> {
  const roots = new Set<string>();
  for (const folder of from) {
    const listing = await terminal.listFolder(folder);
    if (listing.kind === "failed")
      return one(plainFailure("FC9002", `cannot read \`${folder}\`: ${folderWords(listing.code)}`));
    const named = await toolFolders(terminal, folder, tools);
    if (!named.ok) return one(named.failure);
    for (const root of named.value ?? (await usualFolders(terminal, folder))) roots.add(root);
  }
  if (roots.size === 0) {
    const help = "make a folder `tools`, name one with --tools, or begin with `foreclaim init`";
    return one(plainFailure("FC9002", "there is no tools folder here or above", help));
  }
  const folders: VisibleFolder[] = [];
  for (const root of roots) {
    const found = await compileFolder(terminal, root, [...roots]);
    if (found.kind === "failed") return found;
    folders.push(found);
  }
  return { kind: "found", folders };
}

function one(failure: Failure): Visible & { readonly kind: "failed" } {
  return { kind: "failed", failures: [failure] };
}

/** Every `tools` beside a program in the folder, or above it. */
async function usualFolders(terminal: Terminal, from: string): Promise<string[]> {
  const found: string[] = [];
  for (let folder = posix(from); ; folder = dirname(folder)) {
    const tools = join(folder, "tools");
    const listing = await terminal.listFolder(tools);
    if (listing.kind === "entries") found.push(posix(tools));
    if (folder === dirname(folder)) return found;
  }
}

async function compileFolder(
  terminal: Terminal,
  root: string,
  roots: readonly string[],
): Promise<(VisibleFolder & { readonly kind: "compiled" }) | (Visible & { readonly kind: "failed" })> {
  const files = await modulesIn(terminal, root, 0);
  if (!Array.isArray(files)) return one(files);
  const modules = new Modules(terminal);
  const compiled = compileTools(files, modules.host(roots));
  if (modules.failure !== undefined) return one(modules.failure);
  if (!compiled.ok) return { kind: "failed", failures: failuresOf(compiled.problems, compiled.sources) };
  return { kind: "compiled", folder: root, compiled: compiled.value };
}

/** LIMIT: of folders inside one another. */
const deepest = 20;

async function modulesIn(terminal: Terminal, folder: string, depth: number): Promise<string[] | Failure> {
  const listing = await terminal.listFolder(folder);
  if (listing.kind === "failed") {
    if (isAbsent(listing.code)) return [];
    return plainFailure("FC9002", `cannot read \`${shown(folder)}\`: ${folderWords(listing.code)}`);
  }
  const files: string[] = [];
  for (const { name, kind } of listing.entries) {
    const path = `${folder}/${name}`;
    if (kind === "file" && /\.[cm]?ts$/.test(name) && !/\.(d|test|spec)\.[cm]?ts$/.test(name))
      files.push(path);
    if (kind !== "folder" || name.startsWith(".") || name === "node_modules") continue;
    if (depth === deepest)
      return plainFailure("FC9002", `\`${shown(folder)}\` is nested deeper than ${deepest} folders`);
    const inner = await modulesIn(terminal, path, depth + 1);
    if (!Array.isArray(inner)) return inner;
    files.push(...inner);
  }
  return files;
}
