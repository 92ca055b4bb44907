// Makes a clone ready: `node scripts/ensure.mjs` installs, `node scripts/ensure.mjs build` also builds dist/.
// Does nothing, and needs no network, when everything is already as it should be.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, ROOT, runNode, runNpm, runTool, withMaps } from "./tools.mjs";

/** The package ships no sources, so the maps carry them. */
const MAPS = ["--sourceMap", "--inlineSources"];

/** Installs what package-lock.json names, unless exactly that is installed. Gives an exit code. */
export function ensureInstalled() {
  if (isInstalled(readLock("package-lock.json"), readLock("node_modules/.package-lock.json"))) return 0;
  console.log("installing packages (npm ci), this takes a moment …");
  return runNpm(["ci", "--include=dev", "--no-progress", "--loglevel=error"]);
}

/** Builds dist/, unless it was built from exactly these sources. Gives an exit code. */
export function ensureBuilt() {
  const stampPath = join(ROOT, "dist/.inputs");
  const inputs = hashOfInputs();
  if (existsSync(stampPath) && readFileSync(stampPath, "utf8") === inputs) return 0;
  console.log("building dist/ …");
  // Built aside and moved into place: a failed build leaves the last good one, and removed sources leave nothing.
  const aside = `dist.${process.pid}`;
  const code =
    runTool("tsc", ["-p", "tsconfig.build.json", "--outDir", aside, ...(withMaps ? MAPS : [])]) ||
    runNode([join(ROOT, "scripts/bundle.mjs"), aside]) ||
    runNode([join(ROOT, "scripts/prune.mjs"), aside]) ||
    runNode([join(ROOT, "scripts/web.mjs"), aside]) ||
    runNode([join(ROOT, "scripts/playground.mjs"), aside]);
  if (code === 0) {
    writeFileSync(join(ROOT, aside, ".inputs"), inputs);
    rmSync(join(ROOT, "dist"), { recursive: true, force: true });
    renameSync(join(ROOT, aside), join(ROOT, "dist"));
  }
  rmSync(join(ROOT, aside), { recursive: true, force: true });
  return code;
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/**
 * Returns true if the installed packages are those of the lock file; optional ones may be absent (other platforms).
 *
 * @param {Lock | undefined} wanted
 * @param {Lock | undefined} installed npm's own record of what it put into node_modules
 */
export function isInstalled(wanted, installed) {
  if (!wanted || !installed) return false;
  const ours = Object.entries(wanted.packages).filter(([path]) => path !== "");
  return (
    Object.keys(installed.packages).every((path) => path in wanted.packages) &&
    ours.every(([path, { version, integrity, optional }]) => {
      const found = installed.packages[path];
      return found ? found.version === version && found.integrity === integrity : optional === true;
    })
  );
}

/**
 * @param {string} path
 * @returns {Lock | undefined}
 */
function readLock(path) {
  return existsSync(join(ROOT, path)) ? JSON.parse(readFileSync(join(ROOT, path), "utf8")) : undefined;
}

/** A hash of everything the build reads. */
function hashOfInputs() {
  // The playground has texts of the examples.
  const isInput = {
    src: (/** @type {string} */ name) => !/\.(test|soak)\.tsx?$/.test(name),
    examples: (/** @type {string} */ name) => name.endsWith(".ts"),
  };
  const sources = Object.entries(isInput)
    .flatMap(([folder, takes]) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter(
        (entry) => entry.isFile() && takes(entry.name),
      ),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const settings = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "scripts/bundle.mjs",
    "scripts/playground.mjs",
    "scripts/prune.mjs",
    "scripts/web.mjs",
  ];
  const hash = createHash("sha256").update(withMaps ? "maps" : "");
  for (const path of [...settings.map((name) => join(ROOT, name)), ...sources]) {
    hash.update(`\0${path.slice(ROOT.length)}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

if (isMain(import.meta.url)) {
  process.exitCode = ensureInstalled() || (process.argv[2] === "build" ? ensureBuilt() : 0);
}
