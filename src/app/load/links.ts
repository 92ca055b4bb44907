/**
 * Symbolic links in tools folders. SOUNDNESS: a person trusts a folder, so a link that leads out of it is no part of what
 * is trusted, however many links it takes to get there.
 */
import { dirname } from "node:path";
import { type Failure, plainFailure } from "../failure.ts";
import { shown } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";

/** Every `tools` that a program in a file may import from, as the front end looks for them. */
export function usualRoots(entry: string): string[] {
  const roots: string[] = [];
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    roots.push(folder === "/" ? "/tools" : `${folder}/tools`);
    if (folder === dirname(folder)) return roots;
  }
}

/** What is wrong with a file or a folder below one of the roots; undefined for what lies elsewhere, or is not there. */
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
