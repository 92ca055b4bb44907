/** The files of modules below tools folders, and the links among them. */
import { dirname, join } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { posix, shown } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { folderWords, isAbsent } from "./tool-folders.ts";

/** Every `tools` beside a program in the folder, or above it. */
export async function usualFolders(fs: SourceFiles, from: string): Promise<string[]> {
  const found: string[] = [];
  for (let folder = posix(from); ; folder = dirname(folder)) {
    const tools = join(folder, "tools");
    const listing = await fs.listFolder(tools);
    if (listing.kind === "entries") found.push(posix(tools));
    if (folder === dirname(folder)) return found;
  }
}

/** LIMIT: of folders inside one another. */
const deepest = 20;
/** LIMIT: of folders in all; links that lead to one another have more names than there are folders. */
const mostFolders = 2_000;

/** The modules below a tools folder. A link may lead anywhere in the folder, and not round in a circle. */
export async function modulesIn(fs: SourceFiles, root: string): Promise<Result<string[], Failure>> {
  const search: Search = { fs, root, files: [], folders: 0 };
  const failure = await searchIn(search, root, []);
  return failure === undefined ? ok(search.files) : failure;
}

interface Search {
  readonly fs: SourceFiles;
  readonly root: string;
  readonly files: string[];
  folders: number;
}

/** @param above the folders that lead to this one, where they really are */
async function searchIn(
  search: Search,
  folder: string,
  above: readonly string[],
): Promise<Failure | undefined> {
  const { fs, root, files } = search;
  const wrong = (message: string, help?: string) => plainFailure("FC9002", message, help);
  const listing = await fs.listFolder(folder);
  if (listing.kind === "failed") {
    if (isAbsent(listing.code)) return undefined;
    return wrong(`cannot read \`${shown(folder)}\`: ${folderWords(listing.code)}`);
  }
  const real = fs.realPath(folder) ?? folder;
  if (above.includes(real))
    return wrong(`\`${shown(folder)}\` is a link to a folder that contains it`, "remove it");
  if (above.length > deepest) return wrong(`\`${shown(folder)}\` is nested deeper than ${deepest} folders`);
  if (++search.folders > mostFolders) return wrong(`\`${shown(root)}\` has more than ${mostFolders} folders`);
  for (const entry of listing.entries) {
    const path = `${folder}/${entry.name}`;
    const isFile = isModuleName(entry.name) && entry.kind !== "folder";
    const isFolder = entry.kind === "folder" && !isLeftOut(entry.name);
    if (!isFile && !isFolder) continue;
    const astray = entry.isLink ? wrongLink(fs, [root], path) : undefined;
    if (astray !== undefined) return astray;
    if (isFolder) {
      const failure = await searchIn(search, path, [...above, real]);
      if (failure !== undefined) return failure;
    } else if (entry.kind === "file") files.push(path);
    else if (entry.isLink && !entry.name.startsWith("."))
      return wrong(`\`${shown(path)}\` is a link that leads to no file`, "put the module itself there");
  }
  return undefined;
}

function isModuleName(name: string): boolean {
  return /\.[cm]?ts$/.test(name) && !/\.(d|test|spec)\.[cm]?ts$/.test(name);
}

function isLeftOut(folder: string): boolean {
  return folder.startsWith(".") || folder === "node_modules";
}

/** Every `tools` that a program in a file may import from, as the front end looks for them. */
export function usualRoots(entry: string): string[] {
  const roots: string[] = [];
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    roots.push(folder === "/" ? "/tools" : `${folder}/tools`);
    if (folder === dirname(folder)) return roots;
  }
}

/** Returns why a file or a folder below one of the roots is not trusted; undefined for one that lies elsewhere, or is not there. */
export function wrongLink(
  { realPath }: Pick<SourceFiles, "realPath">,
  roots: readonly string[],
  path: string,
): Failure | undefined {
  const isBelow = (folder: string, one: string) => one === folder || one.startsWith(`${folder}/`);
  if (!roots.some((root) => isBelow(root, path))) return undefined;
  const real = realPath(path);
  if (real === undefined || real === path) return undefined;
  const isInside = roots.some((root) => {
    const folder = realPath(root);
    return folder !== undefined && isBelow(folder, real);
  });
  if (isInside) return undefined;
  const message = `\`${shown(path)}\` is a link that leads out of its tools folder`;
  return plainFailure("FC9002", message, "put the module itself there");
}
