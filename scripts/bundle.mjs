// Puts the command line and the library into few files: `node scripts/bundle.mjs dist` rewrites dist/cli and dist/app.
// Loading two hundred small modules takes longer than proving a small program; a command loads its own chunk and no
// other. Its chunks are CommonJS, which Node loads without waiting and without making a module of each of its own modules
// first.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const unbundled = join(ROOT, "src/app/unbundled-imports.ts");
const dist = process.argv[2] ?? "dist";
/** Packages that every proof needs and that come along, so that Node need not look for them file by file. */
const within = ["commander", "oxc-parser", "picocolors"];

// The command is CommonJS throughout, so it has its own copy of the file that imports what is not bundled.
removeModules(join(dist, "cli"), () => true);
await bundle("cli", "src/cli/main.ts", "cjs");
await bundle("cli", "src/app/unbundled-imports.ts", "cjs");
await bundle("cli", "src/cli/command.ts", "cjs");
writeFileSync(join(dist, "cli/package.json"), '{ "type": "commonjs" }\n');
// The types of the library stay where the compiler put them, and say that it is a module.
removeModules(
  join(dist, "app"),
  (name) => /\.js(\.map)?$/.test(name) && !name.startsWith("unbundled-imports."),
);
await bundle("app", "src/app/index.ts", "esm");
const licences = within.map((name) => {
  const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(dist, "cli/LICENSES"), licences.join("\n\n"));

/**
 * @param {"app" | "cli"} folder where it goes
 * @param {string} input
 * @param {"cjs" | "esm"} format
 */
async function bundle(folder, input, format) {
  const plugins = [plugin(folder, join(ROOT, input))];
  const made = await rolldown({ cwd: ROOT, input, platform: "node", plugins });
  const { output } = await made.write({
    dir: join(dist, folder),
    format,
    sourcemap: true,
    // At every start all of it is read, and half of that is names and blanks; the source maps know them.
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await made.close();
  if (join(ROOT, input) === unbundled) return;
  const files = new Set(output.map(({ fileName }) => fileName));
  for (const chunk of output) {
    const far = chunk.type === "chunk" && chunk.dynamicImports.find((one) => !files.has(one));
    if (far) throw new Error(`${chunk.fileName} cannot import \`${far}\`; src/app/unbundled-imports.ts can`);
  }
}

/**
 * Removes what the compiler made of the sources that are bundled.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} isWanted
 */
function removeModules(folder, isWanted) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && isWanted(entry.name)) rmSync(join(entry.parentPath, entry.name));
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
      if (target === unbundled) return { id: "./unbundled-imports.js", external: true };
      if (entry !== unbundled) return undefined;
      const name = relative(join(ROOT, "src", folder), target)
        .replace(/\.ts$/, ".js")
        .replaceAll(sep, "/");
      return { id: name, external: true };
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
