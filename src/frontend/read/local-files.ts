/**
 * Everything local that tool modules import, directly or through one another, also what only the bodies of `run` and
 * `undo` use: it belongs to what a person trusts, so it belongs to the hash. Packages count by the name that the
 * import says. Wherever it is not plain which file would be loaded, all that could be are taken.
 */

import { posix } from "node:path";
import type { Node, Program } from "oxc-parser";
import { append } from "../../ir/index.ts";
import { childNodes } from "../lower/iterate.ts";
import { parseText } from "../parser.ts";
import { refuse, type Spot } from "../refusal.ts";
import { tooDeep } from "../syntax.ts";
import type { World } from "./modules.ts";

/** A file by its path from the tools folder that led to it. */
export interface LocalFile {
  readonly label: string;
  readonly path: string;
  readonly text: string;
}

interface Importer {
  readonly path: string;
  readonly root: string;
  readonly program: Program;
}

/** The tool modules and all that they import. What cannot be read is a problem. */
export function localFiles(world: World): LocalFile[] {
  const found = new Map<string, LocalFile>();
  const pending: Importer[] = [];
  const add = (path: string, root: string, text: string): void => {
    found.set(path, { label: labelOf(root, path), path, text });
  };
  for (const { source, trusted } of world.modules.values()) {
    const root = world.rootOf(source.path) ?? posix.dirname(source.path);
    if (!trusted) continue;
    add(source.path, root, source.text);
    pending.push({ path: source.path, root, program: source.program });
  }
  for (let from = pending.shift(); from !== undefined; from = pending.shift()) {
    const { path: importer, root, program } = from;
    for (const { specifier, spot } of imports(world, importer, program)) {
      for (const path of world.problems.attempt(() => filesFor(world, importer, specifier, spot), [])) {
        if (found.has(path)) continue;
        const text = world.readFile(path);
        if (text === undefined) continue;
        if (!world.problems.attempt(() => bounded(world, found.size, text, path, spot), false))
          return [...found.values()];
        add(path, root, text);
        const parsed = world.problems.attempt(() => parsedFile(path, text), undefined);
        if (parsed !== undefined) pending.push({ path, root, program: parsed });
      }
    }
  }
  return [...found.values()];
}

/** Without the place where everything lies, so that a copy of the folders has the same names. */
function labelOf(root: string, path: string): string {
  return posix.relative(root, path);
}

/** LIMIT: as for modules. */
function bounded(world: World, count: number, text: string, path: string, spot: Spot): true {
  const { modules, fileLength } = world.limits;
  if (count >= modules) refuse(spot, "FC2504", `tool modules import more than ${modules} files`);
  if (text.length > fileLength)
    refuse(spot, "FC2503", `the file \`${path}\` is longer than ${fileLength} characters`);
  return true;
}

function parsedFile(path: string, text: string): Program | undefined {
  if (path.endsWith(".json")) return undefined;
  const lang = /\.[mc]?tsx?$/.test(path) ? (path.endsWith("x") ? "tsx" : "ts") : "jsx";
  const sourceType = /\.(cjs|cts)$/.test(path) ? "script" : "unambiguous";
  const parsed = parseText(path, text, { lang, sourceType });
  if (parsed === undefined)
    return refuse({ file: path, start: 0, end: 0 }, "FC2502", tooDeep, "write it in smaller steps");
  const [error] = parsed.errors;
  if (error === undefined) return parsed.program;
  const start = error.labels[0]?.start ?? 0;
  const spot = { file: path, start, end: error.labels[0]?.end ?? start };
  return refuse(spot, "FC2001", `this cannot be read: ${error.message}`, "fix the syntax here");
}

interface Import {
  readonly specifier: string;
  readonly spot: Spot;
}

/** Every import, wherever it stands, also in the bodies of functions. */
function imports(world: World, path: string, program: Program): Import[] {
  const found: Import[] = [];
  for (const source of importSources(program)) {
    const spot = { file: path, start: source.start, end: source.end };
    const specifier = constantText(source);
    if (specifier !== undefined) found.push({ specifier, spot });
    else
      world.problems.attempt(
        () =>
          refuse(
            spot,
            "FC2003",
            "what is imported here is only known when it runs, so it cannot be approved",
            "import a path that is written out",
          ),
        undefined,
      );
  }
  return found;
}

/** INVARIANT: nothing changes what was parsed. Tool modules are looked through for every program anew. */
const sources = new WeakMap<Program, readonly Node[]>();

function importSources(program: Program): readonly Node[] {
  const before = sources.get(program);
  if (before !== undefined) return before;
  const found: Node[] = [];
  const pending: Node[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    append(pending, childNodes(node).reverse());
    const source = sourceIn(node);
    if (source !== undefined) found.push(source);
  }
  sources.set(program, found);
  return found;
}

/** Returns the source of an import: a literal, or an expression. */
function sourceIn(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
      return node.source;
    case "ExportNamedDeclaration":
      return node.source ?? undefined;
    case "TSExternalModuleReference":
      return node.expression;
    case "CallExpression":
      return node.callee.type === "Identifier" && node.callee.name === "require"
        ? node.arguments[0]
        : undefined;
    default:
      return undefined;
  }
}

function constantText(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  const [only] = node.type === "TemplateLiteral" ? node.quasis : [];
  return node.type === "TemplateLiteral" && node.expressions.length === 0
    ? (only?.value.cooked ?? undefined)
    : undefined;
}

/** A package or a part of Node, which counts by its name. */
const isPackage = (specifier: string): boolean => /^(node:|@?[a-zA-Z0-9_~-][^:]*$)/.test(specifier);

const extensions = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".json", ".d.ts"];
const readable = new RegExp(`(${extensions.map((one) => one.replaceAll(".", "\\.")).join("|")})$`);

/** All files that the specifier may mean; none for a package. */
function filesFor(world: World, importer: string, specifier: string, spot: Spot): string[] {
  if (isPackage(specifier)) return [];
  if (!/^\.\.?(\/|$)/.test(specifier))
    return refuse(
      spot,
      "FC2003",
      `\`${specifier}\` cannot be followed, so it cannot be approved`,
      "import a package by its name, or a file by a path that begins with `./` or `../`",
    );
  const plain = specifier.replace(/[?#].*$/, "");
  const path = posix.join(posix.dirname(importer), plain).replace(/\/$/, "");
  const files = candidates(world, path).filter((one) => world.readFile(one) !== undefined);
  if (files.length > 0) return files;
  return refuse(
    spot,
    "FC2002",
    `\`${specifier}\` cannot be read`,
    readable.test(plain) || posix.extname(plain) === ""
      ? "check the path; everything that a tool module imports is part of what is approved"
      : "only source files and JSON can be part of what is approved",
  );
}

function candidates(world: World, path: string): string[] {
  const swapped = path.replace(/\.([mc]?)js(x?)$/, ".$1ts$2");
  const inside = [
    `${path}/package.json`,
    ...extensions.map((one) => `${path}/index${one}`),
    ...mainOf(world, path),
  ];
  const beside = extensions.map((one) => path + one);
  return [...new Set([...(readable.test(path) ? [path, swapped] : []), ...beside, ...inside])];
}

/** Reads the main file from the `package.json` of a folder. */
function mainOf(world: World, folder: string): string[] {
  const text = world.readFile(`${folder}/package.json`);
  if (text === undefined) return [];
  const main = mainIn(text);
  if (main === undefined) return [];
  const path = posix.join(folder, main);
  return [path, ...extensions.flatMap((one) => [path + one, `${path}/index${one}`])];
}

function mainIn(text: string): string | undefined {
  try {
    const main: unknown = JSON.parse(text)?.main;
    return typeof main === "string" ? main : undefined;
  } catch {
    return undefined;
  }
}
