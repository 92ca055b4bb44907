// Which files belong to the project: what the house rules are checked on.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./tools.mjs";

/** Folders that are made, not written; only consulted where there is no git to ask. */
const MADE = new Set([".git", "node_modules", "dist", "build", "results"]);

/** Paths of all files that git tracks or would track, relative to the root, with `/` between folders. */
export function projectFiles() {
  const git = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  // A package unpacked inside another repository is not that repository's: git then lists nothing here.
  const listed = git.status === 0 ? git.stdout.split("\0").filter(Boolean) : [];
  const paths = listed.length > 0 ? listed : walk("");
  return paths.filter((path) => existsSync(join(ROOT, path))).sort();
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function walk(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return MADE.has(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });
}
