/**
 * Node module hooks for tool modules; Node runs them on its own loader thread. They strip types from TypeScript,
 * resolve paths as the front end does, and map `foreclaim` to this package.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DYNAMIC, eraseTypes, type ModuleImport } from "./erase-types.ts";

/** The part of this package that declares tools; it loads none of the rest. */
const SURFACE = new URL("../frontend/surface/index.js", import.meta.url);

/** Names that the declaring part exports. */
const surfaceNames = import(SURFACE.href).then((surface) => new Set(Object.keys(surface)));

/** URLs of modules that import nothing of `foreclaim` but the declaring part. */
const declaring = new Set<string>();

interface ResolveContext {
  readonly parentURL?: string;
}

type NextResolve = (specifier: string, context: ResolveContext) => Promise<{ readonly url: string }>;

/**
 * SOUNDNESS: links are not followed here. The front end took what a module imports from beside the link, and not from beside
 * the file that it leads to, so that is what is run.
 */
export async function resolve(specifier: string, context: ResolveContext, next: NextResolve) {
  const parent = context.parentURL;
  if (isTypeScript(specifier)) return { url: specifier, shortCircuit: true };
  if (parent === undefined || !isTypeScript(parent)) return besides(specifier, context, next);
  if (specifier === "foreclaim" && declaring.has(parent)) return { url: SURFACE.href, shortCircuit: true };
  if (/^foreclaim(\/|$)/.test(specifier)) return next(specifier, { ...context, parentURL: import.meta.url });
  if (!/^\.\.?\//.test(specifier)) return next(specifier, context);
  const url = sourceFor(specifier, parent);
  return url === undefined ? besides(specifier, context, next) : { url, shortCircuit: true };
}

/** A local file by the name that an importer of any kind has for it; what is no such name, as Node finds it. */
async function besides(specifier: string, context: ResolveContext, next: NextResolve) {
  const parent = context.parentURL;
  const isLocal = /^\.\.?\//.test(specifier) && parent?.startsWith("file:") === true;
  if (!isLocal || parent.includes("/node_modules/")) return next(specifier, context);
  const { href } = new URL(specifier, parent);
  const isFile = statSync(fileURLToPath(href), { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? { url: href, shortCircuit: true } : next(specifier, context);
}

/** In the order of the front end: what was compiled is what is run. */
function sourceFor(specifier: string, parent: string): string | undefined {
  const plain = specifier.replace(/\.[mc]?js$/, "");
  const candidates = [
    specifier,
    `${specifier}.ts`,
    `${plain}.ts`,
    `${specifier}.mts`,
    `${specifier}/index.ts`,
  ];
  return candidates
    .map((one) => new URL(one, parent).href)
    .find((url) => isTypeScript(url) && existsSync(fileURLToPath(url)));
}

type NextLoad = (url: string, context: object) => Promise<object>;

export async function load(url: string, context: object, next: NextLoad) {
  if (!isTypeScript(url)) return next(url, context);
  const path = fileURLToPath(url);
  const erased = eraseTypes(path, readFileSync(path, "utf8"));
  if (!erased.ok) throw new SyntaxError(`${path}:${erased.line}: ${erased.message}`);
  if (isDeclaring(erased.imports, await surfaceNames)) declaring.add(url);
  return { format: "module", source: erased.text, shortCircuit: true };
}

/** Returns true if every name that a module imports from `foreclaim` is one of the declaring part. */
function isDeclaring(imports: readonly ModuleImport[], names: ReadonlySet<string>): boolean {
  return imports
    .filter(({ from }) => from === "foreclaim" || from === DYNAMIC)
    .every((one) => one.names?.every((name) => names.has(name)) === true);
}

function isTypeScript(url: string): boolean {
  return url.startsWith("file:") && /\.m?ts$/.test(url) && !url.endsWith(".d.ts");
}
