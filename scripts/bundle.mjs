// Puts the command line and the library into few files: `node scripts/bundle.mjs dist` rewrites dist/cli and dist/app.
// Loading two hundred small modules takes longer than proving a small program; a command loads its own chunk and no
// other. They are CommonJS, which Node loads without waiting and without making a module of each of its own modules first.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const unbundled = join(ROOT, "src/app/unbundled-imports.ts");
const dist = process.argv[2] ?? "dist";
/** Packages that every proof needs and that come along, so that Node need not look for them file by file. */
const within = ["commander", "oxc-parser", "picocolors"];

/** What is built, and what of it may import a chunk that is not its own: nothing but the file that is not bundled. */
const entries = /** @type {const} */ ([
  ["app", ["unbundled-imports", "index"]],
  ["cli", ["main", "command"]],
]);

for (const [folder, names] of entries) {
  const out = join(dist, folder);
  removeModules(out, folder === "app" ? /\.js(\.map)?$/ : /./);
  for (const name of names) await bundle(folder, name, out);
  writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
}
const licences = within.map((name) => {
  const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(dist, "cli/LICENSES"), licences.join("\n\n"));

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} out
 */
async function bundle(folder, name, out) {
  const input = `src/${folder}/${name}.ts`;
  const plugins = [plugin(folder, join(ROOT, input))];
  const made = await rolldown({ cwd: ROOT, input, platform: "node", plugins });
  const { output } = await made.write({
    dir: out,
    format: "cjs",
    sourcemap: true,
    // At every start all of it is read, and half of that is names and blanks; the source maps know them.
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await made.close();
  const files = new Set(output.map(({ fileName }) => fileName));
  if (name === "unbundled-imports" || name === "main") return;
  for (const chunk of output) {
    const far = chunk.type === "chunk" && chunk.dynamicImports.find((one) => !files.has(one));
    if (far) throw new Error(`${chunk.fileName} cannot import \`${far}\`; src/app/unbundled-imports.ts can`);
  }
}

/**
 * Removes what the compiler made of the sources that are bundled. The types of the library stay.
 *
 * @param {string} folder
 * @param {RegExp} wanted
 */
function removeModules(folder, wanted) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && wanted.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
}

/**
 * @param {string} folder
 * @param {string} entry
 * @returns {import("rolldown").Plugin}
 */
function plugin(folder, entry) {
  return {
    name: "foreclaim",
    resolveId(specifier, importer) {
      if (importer === undefined || within.includes(specifier)) return undefined;
      if (!specifier.startsWith(".")) return { id: specifier, external: true };
      const target = join(importer, "..", specifier);
      if (entry !== unbundled && target !== unbundled) return undefined;
      const name = relative(join(ROOT, "src", folder), target)
        .replace(/\.ts$/, ".js")
        .replaceAll(sep, "/");
      return { id: name.startsWith(".") ? name : `./${name}`, external: true };
    },
    transform(code, path) {
      if (!/oxc-parser[\\/]src-js[\\/](index|bindings)\.js$/.test(path)) return undefined;
      // Its native part is found from where the package is.
      const from = "createRequire(import.meta.url)";
      if (!code.includes(from)) throw new Error(`${path} finds its native part in a new way`);
      return { code: code.replace(from, `createRequire(${from}.resolve("oxc-parser"))`), map: null };
    },
  };
}
