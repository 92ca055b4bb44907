/**
 * Saved tool layers in the place of folders: the compiler sees their files where the folder would lie, and no others.
 * Only what is compiled and proved goes this way; what runs needs the modules themselves, and does not find them here.
 */
import { dirname, posix as paths } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { readLayer, type SavedLayer } from "../../link/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { FolderEntry, ReadBytes, SourceFiles } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { isSavedLayer, type ProgramForm } from "./form.ts";

export interface Mounted {
  readonly fs: SourceFiles;
  readonly tools: readonly string[] | undefined;
}

/** For a program in a file; the loader reports one that cannot be read. */
export async function mountedFor(
  fs: SourceFiles,
  path: string,
  form: ProgramForm,
  tools: readonly string[] | undefined,
): Promise<Result<Mounted, Failure>> {
  if (tools === undefined || !tools.some(isSavedLayer)) return ok({ fs, tools });
  const source = form === "ts" ? await readSource(fs, path) : undefined;
  return mountLayers(fs, tools, dirname(path), source?.ok === true ? source.value.text : "");
}

/**
 * @param folder where the program lies
 * @param text its text, if it is TypeScript: its imports say where the folder would be
 */
export async function mountLayers(
  fs: SourceFiles,
  tools: readonly string[] | undefined,
  folder: string,
  text = "",
): Promise<Result<Mounted, Failure>> {
  if (tools === undefined || !tools.some(isSavedLayer)) return ok({ fs, tools });
  const folders = tools.filter((path) => !isSavedLayer(path));
  if (folders.length > 0) {
    const message = `\`${folders[0]}\` is a folder, and a saved tool layer is used alone`;
    return plainFailure("FC9001", message, "build one layer of all that is needed");
  }
  const layers = new Map<string, SavedLayer>();
  for (const path of tools) {
    const layer = await loadLayer(fs, path);
    if (!layer.ok) return layer;
    const root = rootFor(layer.value, posix(folder), text);
    if (layers.has(root)) {
      const message = `two saved tool layers are both called \`${layer.value.name}\``;
      return plainFailure("FC9001", message, "build one layer of all that is needed");
    }
    layers.set(root, layer.value);
  }
  return ok({ fs: overlaid(fs, layers), tools: [...layers.keys()] });
}

export async function loadLayer(fs: SourceFiles, path: string): Promise<Result<SavedLayer, Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const read = readLayer(source.value.text);
  if (read.ok) return ok(read.value);
  const { problem } = read;
  return { ok: false, problems: [{ ...problem, message: `\`${path}\`: ${problem.message}`, path: [] }] };
}

/** Returns the place at which the imports of the program expect the folder; beside the program if they say nothing. */
function rootFor({ name }: SavedLayer, folder: string, text: string): string {
  for (const [, specifier = ""] of text.matchAll(/\bfrom\s*["'](\.\.?\/[^"'\n]*)["']/g)) {
    const parts = paths.join(folder, specifier).split("/");
    const at = parts.lastIndexOf(name);
    if (at > 0) return parts.slice(0, at + 1).join("/");
  }
  return paths.join(folder, name);
}

function overlaid(base: SourceFiles, layers: ReadonlyMap<string, SavedLayer>): SourceFiles {
  const files = new Map<string, string>();
  for (const [root, layer] of layers)
    for (const [path, text] of layer.files) files.set(paths.join(root, path), text);
  const absent: ReadBytes = { kind: "failed", code: "ENOENT" };
  return {
    ...base,
    // SOUNDNESS: what is compiled sees the layers and no file of the disk, whatever lies in the same place there.
    readFileNow: (path) => {
      const text = files.get(posix(path));
      return text === undefined ? absent : { kind: "bytes", bytes: new TextEncoder().encode(text) };
    },
    // There are no links in a saved layer.
    realPath: posix,
    listFolder: async (path) => {
      const at = posix(path);
      const isMounted = [...layers.keys()].some((root) => at === root || at.startsWith(`${root}/`));
      return isMounted ? { kind: "entries", entries: entriesIn(at, files) } : base.listFolder(path);
    },
  };
}

function entriesIn(folder: string, files: ReadonlyMap<string, string>): FolderEntry[] {
  const found = new Map<string, FolderEntry>();
  for (const path of files.keys()) {
    if (!path.startsWith(`${folder}/`)) continue;
    const [name = "", ...deeper] = path.slice(folder.length + 1).split("/");
    found.set(name, { name, kind: deeper.length === 0 ? "file" : "folder" });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
