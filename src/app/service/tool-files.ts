/**
 * The tool modules of the service, read once when it starts. The prover sees these and nothing else: there is no
 * file system behind them, so a request can name what it likes.
 */
import { posix as paths } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { FolderEntry, Listing, ReadBytes, SourceFiles } from "../files/port.ts";
import { mountLayers } from "../load/bundle-file-system.ts";
import { usualFolders } from "../load/module-files.ts";
import { toolFolders } from "../load/tool-folders.ts";
import { visibleTools } from "../load/visible-tools.ts";

/** Plain data, to be handed to another process. */
export interface ToolFiles {
  /** The folder that programs are taken to lie in. */
  readonly folder: string;
  /** The folders that were named, if any were: without them the usual ones are meant, which has another meaning. */
  readonly named: readonly string[] | null;
  readonly roots: readonly string[];
  /** Every module, and what those import: path and text. */
  readonly files: readonly (readonly [path: string, text: string])[];
  /** Comments of the contracts' authors, by full name. */
  readonly docs: readonly (readonly [name: string, doc: string])[];
}

export async function readToolFiles(
  base: SourceFiles,
  folder: string,
  given: readonly string[] | undefined,
): Promise<Result<ToolFiles, Failure>> {
  const mounted = await mountLayers(base, given, folder);
  if (!mounted.ok) return mounted;
  const { fs, tools } = mounted.value;
  const named = await toolFolders(fs, folder, tools);
  if (!named.ok) return named;
  const visible = await visibleTools(fs, [folder], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "there are no tools");
  const roots = named.value ?? (await usualFolders(fs, folder));
  const files = new Map(visible.folders.flatMap(({ compiled }) => [...compiled.sources]));
  const docs = visible.folders.flatMap(({ compiled }) =>
    compiled.declarations.flatMap(({ kind, name, doc }) =>
      kind === "contract" && doc !== undefined ? [[name, doc] as const] : [],
    ),
  );
  return ok({ folder: posix(folder), named: named.value ?? null, roots, files: [...files], docs });
}

/** A file that only `readFile` gives: a program, or a policy. No module can import it. */
export type Given = ReadonlyMap<string, string>;

/** Returns these files and no others. */
export function closedFiles(tools: ToolFiles, given: Given): SourceFiles {
  const files = new Map(tools.files);
  const folders = foldersOf(tools);
  const absent: ReadBytes = { kind: "failed", code: "ENOENT" };
  const bytesOf = (text: string | undefined): ReadBytes =>
    text === undefined ? absent : { kind: "bytes", bytes: new TextEncoder().encode(text) };
  return {
    readFile: async (path) => bytesOf(given.get(path) ?? files.get(path)),
    readFileNow: (path) => bytesOf(files.get(path)),
    listFolder: async (path): Promise<Listing> => {
      const entries = folders.get(posix(path));
      return entries === undefined ? { kind: "failed", code: "ENOENT" } : { kind: "entries", entries };
    },
    realPath: posix,
  };
}

function foldersOf({ roots, files, folder }: ToolFiles): ReadonlyMap<string, readonly FolderEntry[]> {
  const found = new Map<string, Map<string, FolderEntry>>();
  const entriesOf = (path: string) => {
    const known = found.get(path) ?? new Map<string, FolderEntry>();
    found.set(path, known);
    return known;
  };
  entriesOf(folder);
  for (const root of roots) entriesOf(root);
  for (const [file] of files) {
    const root = roots.find((one) => file.startsWith(`${one}/`));
    if (root === undefined) continue;
    entriesOf(paths.dirname(file)).set(file, { name: paths.basename(file), kind: "file" });
    for (let inner = paths.dirname(file); inner !== root; inner = paths.dirname(inner))
      entriesOf(paths.dirname(inner)).set(inner, { name: paths.basename(inner), kind: "folder" });
  }
  const sorted = (entries: Map<string, FolderEntry>) =>
    [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(Array.from(found, ([path, entries]) => [path, sorted(entries)]));
}
