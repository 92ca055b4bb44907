// `node scripts/release.mjs` checks everything that a release needs and publishes nothing; `--publish` publishes the
// tarball that was checked.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { contentProblems, pack, publintProblems, typeProblems } from "./package.mjs";
import { isMain, ROOT, runNpm, withMaps } from "./tools.mjs";

/**
 * Sentences about files that do not name the version.
 *
 * @param {string} version
 * @param {(path: string) => string} read
 */
export function versionProblems(version, read) {
  const newest = /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(read("CHANGELOG.md"))?.[1];
  const plugin = JSON.parse(read("integrations/claude-code/.claude-plugin/plugin.json")).version;
  const editor = JSON.parse(read("integrations/vscode/package.json")).version;
  const lock = JSON.parse(read("package-lock.json")).version;
  return [
    ["CHANGELOG.md", newest],
    ["the Claude Code plugin", plugin],
    ["the VS Code extension", editor],
    ["package-lock.json", lock],
  ]
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place} names version ${found ?? "none"} and package.json ${version}`);
}

/** @param {string} path */
function readText(path) {
  return readFileSync(join(ROOT, path), "utf8");
}

/** @param {readonly string[]} args */
async function main(args) {
  const code = ensureInstalled() || ensureBuilt();
  if (code !== 0) return code;
  const { version } = JSON.parse(readText("package.json"));
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-release-"));
  try {
    const packed = pack(folder);
    const dirty = spawnSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).stdout;
    const problems = [
      ...(withMaps ? ["FORECLAIM_MAPS is set, and a release has no source maps"] : []),
      ...(dirty === "" ? [] : ["the work tree has changes that are not committed"]),
      ...versionProblems(version, readText),
      ...contentProblems(packed),
      ...(await publintProblems(packed.tarball)),
      ...(await typeProblems(packed.tarball)),
    ];
    for (const problem of problems) console.log(`✗ ${problem}`);
    if (problems.length > 0) return 1;
    console.log(`✓ foreclaim ${version}: ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked`);
    if (args.includes("--publish")) return runNpm(["publish", packed.tarball, "--access", "public"]);
    console.log("nothing was published; --publish does");
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
