// Builds the playground: `node scripts/playground.mjs dist` writes dist/playground. Three scripts (the page, the worker
// that proves, the worker of the solver), a style sheet and the examples, each named by what is in it. The parser and the
// solver are WebAssembly of `oxc-parser` and `z3-solver`: a server of the playground takes them from these packages.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { isMain, ROOT } from "./tools.mjs";

const from = join(ROOT, "src/playground");
const require = createRequire(import.meta.url);
/** Packages that come along. */
const within = [
  "preact",
  "@preact/signals",
  "oxc-parser",
  "@emnapi/core",
  "@emnapi/runtime",
  "@tybys/wasm-util",
];

/** Modules that have another form in a browser. */
const instead = new Map(
  Object.entries({
    "src/app/unbundled-imports.ts": "prover/solver-imports.ts",
    "src/frontend/parser.ts": "prover/parser.ts",
    "src/prove/decide/solver/wasm-engine.ts": "prover/solver-engine.ts",
  }).map(([path, other]) => [join(ROOT, path), join(from, other)]),
);
/** Modules of Node's of which a part is here. */
const platform = ["node:crypto", "node:os", "node:path"];
/** Stands for the other parts. What the prover needs has none of them. */
const absent = "is not in a browser";

/**
 * @typedef {{ readonly id: string, readonly title: string, readonly about: string, readonly program: string }} Chosen
 * @typedef {{ readonly id: string, readonly title: string, readonly about: string, readonly entry: string, readonly files: readonly (readonly [string, string])[] }} Example
 */

/**
 * The worked examples, with the texts of their programs and of the tool modules that these import.
 *
 * @returns {Example[]}
 */
export function examples() {
  /** @type {Chosen[]} */
  const chosen = JSON.parse(readFileSync(join(from, "examples.json"), "utf8"));
  return chosen.map(({ id, title, about, program }) => {
    const folder = join(ROOT, "examples", posix.dirname(program));
    const entry = posix.basename(program);
    /** @type {Map<string, string>} */
    const files = new Map();
    const open = [entry];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (files.has(name)) continue;
      const text = readFileSync(join(folder, name), "utf8");
      files.set(name, text);
      for (const [, specifier = ""] of text.matchAll(/\bfrom\s*"(\.[^"]*)"/g)) {
        const path = posix.join(posix.dirname(name), specifier);
        open.push(path.endsWith(".ts") ? path : `${path}.ts`);
      }
    }
    return { id, title, about, entry, files: [...files] };
  });
}

/** @param {string} out */
async function build(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const solver = await scriptText("prover/solver-worker.ts", "iife");
  const prover = await scriptText("prover/worker.ts", "esm");
  const style = styleText();
  const list = JSON.stringify(examples());
  const names = {
    style: `app.${hashOf(style)}.css`,
    prover: `prover.${hashOf(prover)}.js`,
    solver: `solver.${hashOf(solver)}.js`,
    examples: `examples.${hashOf(list)}.json`,
  };
  const { version } = require("z3-solver/package.json");
  /** Relative to the page, which may lie anywhere. */
  const assets = {
    prover: names.prover,
    examples: names.examples,
    parser: "parser.wasm",
    solver: {
      worker: names.solver,
      script: "z3-built.js",
      wasm: "z3-built.wasm",
      from: `z3-solver ${version}`,
    },
  };
  const app = await scriptText("page/main.tsx", "esm", {
    tsconfig: "src/playground/page/tsconfig.json",
    define: { builtAssets: JSON.stringify(assets) },
  });
  const appName = `app.${hashOf(app)}.js`;
  const page = readFileSync(join(from, "index.html"), "utf8")
    .replaceAll("{{script}}", appName)
    .replaceAll("{{style}}", names.style)
    .replaceAll("{{prover}}", names.prover);
  const headers = readFileSync(join(from, "page/headers.js"), "utf8");
  const files = /** @type {const} */ ([
    ["index.html", page],
    [appName, app],
    [names.style, style],
    [names.prover, prover],
    [names.solver, solver],
    [names.examples, list],
    ["headers.js", headers],
  ]);
  for (const [name, text] of files) writeFileSync(join(out, name), text);
  const licences = within.map((name) => {
    const folder = join(ROOT, "node_modules", name);
    const found = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    const text = found === undefined ? "MIT" : readFileSync(join(folder, found), "utf8").trim();
    return `${name}\n\n${text}\n`;
  });
  writeFileSync(join(out, "LICENSES"), licences.join("\n\n"));
  const size = (/** @type {string} */ text) =>
    `${(gzipSync(text, { level: 9 }).length / 1000).toFixed(1)} kB`;
  console.log(`playground, gzipped: page ${size(app)}, style ${size(style)}, prover ${size(prover)}`);
}

/**
 * @param {string} entry
 * @param {"esm" | "iife"} format
 * @param {{ tsconfig?: string, define?: Record<string, string> }} [how]
 */
async function scriptText(entry, format, { tsconfig, define } = {}) {
  const bundle = await rolldown({
    cwd: ROOT,
    input: join(from, entry),
    platform: "browser",
    ...(tsconfig && { tsconfig }),
    transform: { target: "es2022", ...(define && { define }) },
    plugins: [plugin],
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({ format, minify: true, codeSplitting: false });
  await bundle.close();
  const [chunk, ...others] = output;
  const far = [...chunk.imports, ...chunk.dynamicImports].filter((name) => name !== chunk.fileName);
  if (others.length > 0 || far.length > 0)
    throw new Error(`${entry} needs ${far.join(", ") || "several files"}`);
  const lacks = new RegExp(`node:\\w+ \\w+ ${absent}`).exec(chunk.code);
  if (lacks !== null) throw new Error(`${entry}: ${lacks[0]}`);
  return chunk.code;
}

/** @type {import("rolldown").Plugin} */
const plugin = {
  name: "playground",
  resolveId(specifier, importer) {
    if (platform.includes(specifier)) return `\0${specifier}`;
    // The door of the parser loads its native part; this is all that else is used of it.
    if (specifier === "oxc-parser") return "\0visitor-keys";
    // Whatever nothing here needs may import what it likes; the rest is looked at when all is put together.
    const isOurs = importer !== undefined && !importer.includes("node_modules") && !importer.startsWith("\0");
    const isWithin = within.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    if (isOurs && !isWithin && !/^[./]/.test(specifier))
      return { id: specifier, external: true, moduleSideEffects: false };
    if (importer === undefined || !specifier.startsWith(".")) return undefined;
    return instead.get(join(importer, "..", specifier));
  },
  load(id) {
    if (id === "\0visitor-keys")
      return `export { default as visitorKeys } from "oxc-parser/src-js/generated/visit/keys";`;
    return id.startsWith("\0node:") ? platformText(id.slice(1)) : undefined;
  },
};

/**
 * A module with all exports of Node's: those that are here, and in the place of each other one its name.
 *
 * @param {string} specifier
 */
function platformText(specifier) {
  const path = join(from, "prover/platform", `${specifier.slice(5)}.ts`);
  const here = new Set(exportsOf(readFileSync(path, "utf8")));
  const others = Object.keys(require(specifier)).filter((name) => !here.has(name) && name !== "default");
  const missing = others.map((name) => `export const ${name} = "${specifier} ${name} ${absent}";`);
  const own = JSON.stringify(path);
  const ofDefault = here.has("default")
    ? `export { default } from ${own};`
    : `export default "${specifier} default ${absent}";`;
  return [`export * from ${own};`, ofDefault, ...missing].join("\n");
}

/** @param {string} text */
function exportsOf(text) {
  const names = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name = ""]) => name);
  return /^export default/m.test(text) ? [...names, "default"] : names;
}

/** The sheets of the approval page that both have, then those of the playground. */
function styleText() {
  const shared = join(ROOT, "src/web/style");
  const own = join(from, "page/style");
  const sheets = [shared, own].flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );
  return sheets
    .map((path) => readFileSync(path, "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s+/gm, "")
    .replace(/\s*\n/g, "\n");
}

/** @param {string} text */
function hashOf(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

if (isMain(import.meta.url)) await build(join(process.argv[2] ?? "dist", "playground"));
