// Leaves in dist/ what the package needs: `node scripts/prune.mjs dist` removes the modules and types that no export and
// no command reaches, and takes comments and blanks out of the rest. Rooms that users must trust stay as the compiler
// wrote them, to be read.

import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { minifySync } from "rolldown/utils";
import { isMain, ROOT, withMaps } from "./tools.mjs";

/** Trusted rooms, and the declaring surface that editors open from tool modules. */
const readable = ["ir", "kernel", "certificate", "frontend/surface"];
/** Declarations that public ones only mention: nobody opens them, and their comments would be a hundredth of the package. */
const mentioned = ["frontend", "prove", "approve/wire.d.ts"];
/** Parts that have a script of their own. */
const apart = ["cli", "playground", "web"];

/**
 * @typedef {{ types: string, default: string }} Entry
 */

/** @param {string} dist */
export function prune(dist) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  /** @type {readonly Entry[]} */
  const entries = Object.values(exports).filter((one) => typeof one === "object");
  const targets = entries.flatMap((one) => [one.types, one.default]);
  const seen = reached([
    ...targets.map((path) => join(dist, path.slice("./dist/".length))),
    join(dist, "cli/unbundled-imports.js"),
  ]);
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !apart.some((folder) => path.startsWith(join(dist, folder) + sep)));
  for (const path of files) {
    const isKept = seen.has(path.replace(/\.map$/, ""));
    if (path.endsWith(".d.ts")) isKept ? writeFileSync(path, declarations(dist, path)) : rmSync(path);
    else if (isReadable(dist, path)) continue;
    else if (!isKept) rmSync(path);
    else if (path.endsWith(".js") && !withMaps) writeFileSync(path, withoutBlanks(path));
  }
  removeEmpty(dist);
}

/**
 * @param {string} dist
 * @param {string} path
 */
function declarations(dist, path) {
  const text = withTabs(path);
  const isMentioned = mentioned.some((one) => path.startsWith(join(dist, one))) && !isReadable(dist, path);
  return isMentioned ? text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "") : text;
}

/**
 * @param {string} dist
 * @param {string} path
 */
function isReadable(dist, path) {
  return readable.some((room) => path.startsWith(join(dist, room) + sep));
}

/**
 * All files that these import, that those import, and so on. Files that one names by its own address count.
 *
 * @param {readonly string[]} entries
 */
function reached(entries) {
  /** @type {Set<string>} */
  const seen = new Set();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    if (!existsSync(path)) throw new Error(`${path} is imported and was not built`);
    seen.add(path);
    open.push(...namedBy(path));
  }
  return seen;
}

const imports = /(?:\bfrom|\bimport)\s*\(?\s*(["'`])(\.[^"'`]+)\1|\bnew URL\((["'`])(\.[^"'`]+\.js)\3/g;

/** @param {string} path */
function namedBy(path) {
  const text = withoutComments(readFileSync(path, "utf8"));
  return [...text.matchAll(imports)].map(([, , imported, , address]) => {
    const target = join(dirname(path), imported ?? address ?? "");
    return path.endsWith(".d.ts") ? target.replace(/\.[jt]s$/, ".d.ts") : target;
  });
}

/**
 * Examples in doc comments import things too.
 *
 * @param {string} text
 */
function withoutComments(text) {
  return text.replace(/^\s*\/\*\*[\s\S]*?\*\//gm, "").replace(/^\s*\/\/.*$/gm, "");
}

/**
 * Names at the top of a module stay, so that stack traces name the functions.
 *
 * @param {string} path
 */
function withoutBlanks(path) {
  const { code, errors } = minifySync(path, readFileSync(path, "utf8"), {
    module: true,
    compress: {},
    mangle: { toplevel: false },
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return code;
}

/**
 * A tenth of the types is indentation.
 *
 * @param {string} path
 */
function withTabs(path) {
  return readFileSync(path, "utf8").replace(/^( {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4));
}

/** @param {string} folder */
function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

if (isMain(import.meta.url)) prune(join(ROOT, process.argv[2] ?? "dist"));
