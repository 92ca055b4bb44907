/** Tool modules, compiled: those that a program in a folder could import, or those of one folder or saved layer. */
import { type CompiledTools, compileTools } from "../../frontend/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, firstFailure, plainFailure } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { mountLayers } from "./bundle-file-system.ts";
import { isSavedLayer } from "./form.ts";
import { modulesIn, usualFolders } from "./module-files.ts";
import { folderWords, toolFolders } from "./tool-folders.ts";
import { failuresOf, Modules } from "./typescript.ts";

/** The declarations of the modules below one tools folder. */
export interface VisibleFolder {
  /** As the front end names it. */
  readonly folder: string;
  readonly compiled: CompiledTools;
}

export type Visible =
  | { readonly kind: "found"; readonly folders: readonly VisibleFolder[] }
  | { readonly kind: "failed"; readonly failures: readonly Failure[] };

export async function visibleTools(
  fs: SourceFiles,
  from: readonly string[],
  tools: readonly string[] | undefined,
): Promise<Visible> {
  const roots = new Set<string>();
  for (const folder of from) {
    const listing = await fs.listFolder(folder);
    if (listing.kind === "failed")
      return one(plainFailure("FC9002", `cannot read \`${folder}\`: ${folderWords(listing.code)}`));
    const named = await toolFolders(fs, folder, tools);
    if (!named.ok) return one(named);
    for (const root of named.value ?? (await usualFolders(fs, folder))) roots.add(root);
  }
  if (roots.size === 0) {
    const help = "make a folder `tools`, name one with --tools, or begin with `foreclaim init`";
    return one(plainFailure("FC9002", "there is no tools folder here or above", help));
  }
  const folders: VisibleFolder[] = [];
  for (const root of roots) {
    const found = await compileFolder(fs, root, [...roots]);
    if (found.kind === "failed") return found;
    folders.push(found);
  }
  return { kind: "found", folders };
}

function one(failure: Failure): Visible & { readonly kind: "failed" } {
  return { kind: "failed", failures: [failure] };
}

async function compileFolder(
  fs: SourceFiles,
  root: string,
  roots: readonly string[],
): Promise<(VisibleFolder & { readonly kind: "compiled" }) | (Visible & { readonly kind: "failed" })> {
  const files = await modulesIn(fs, root);
  if (!files.ok) return one(files);
  const modules = new Modules(fs);
  const compiled = compileTools(files.value, modules.host(roots));
  if (modules.failure !== undefined) return one(modules.failure);
  if (!compiled.ok) return { kind: "failed", failures: failuresOf(compiled.problems, compiled.sources) };
  return { kind: "compiled", folder: root, compiled: compiled.value };
}

/** LIMIT: of what is looked at to tell a saved layer from a document. */
const firstBytes = 200_000_000;

/** Tells a folder or a saved layer from a program. */
export async function areTools(fs: SourceFiles, path: string): Promise<boolean> {
  if ((await fs.listFolder(path)).kind === "entries") return true;
  if (!isSavedLayer(path)) return false;
  const read = await fs.readFile(path, firstBytes);
  return read.kind === "bytes" && new TextDecoder("latin1").decode(read.bytes).includes('"foreclaimTools"');
}

export async function loadToolModules(
  fs: SourceFiles,
  path: string,
): Promise<Result<CompiledTools, Failure>> {
  const mounted = await mountLayers(fs, [path], ".");
  if (!mounted.ok) return mounted;
  const [root = path] = mounted.value.tools ?? [];
  const files = await modulesIn(mounted.value.fs, posix(root));
  if (!files.ok) return files;
  const modules = new Modules(mounted.value.fs);
  const compiled = compileTools(files.value, modules.host([posix(root)]));
  if (modules.failure !== undefined) return modules.failure;
  if (compiled.ok) return ok(compiled.value);
  return firstFailure(failuresOf(compiled.problems, compiled.sources));
}
