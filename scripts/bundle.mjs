// Puts the command line and the library into few files: `node scripts/bundle.mjs dist` rewrites dist/cli and dist/app.
// Loading two hundred small modules takes longer than proving a small program; a command loads its own chunk and no
// other. Its chunks are CommonJS, which Node loads without waiting and without making a module of each of its own modules
// first.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { ROOT, withMaps } from "./tools.mjs";

const unbundled = join(ROOT, "src/app/unbundled-imports.ts");
const dist = process.argv[2] ?? "dist";
/** Packages that every proof needs and that come along, so that Node need not look for them file by file. */
const within = ["commander", "oxc-parser", "picocolors"];

/**
 * Doors whose code the command has too. Each is a module that hands on what the command's chunk exports, so that the
 * package has the prover once. None of them takes or gives an object whose class another entry of the package has.
 */
const facades = { app: "src/app/index.ts", plan: "src/plan.ts", shell: "src/shell.ts" };

removeModules(join(dist, "cli"));
await bundle({ main: "src/cli/main.ts" });
await bundle({ "unbundled-imports": "src/app/unbundled-imports.ts" });
const entries = Object.entries(facades).map(([name, source]) => [name, `\0facade:${source}`]);
const exported = await bundle({ command: "src/cli/command.ts", ...Object.fromEntries(entries) });
writeFileSync(join(dist, "cli/package.json"), '{ "type": "commonjs" }\n');
// Their types stay where the compiler put them, and say that they are modules.
for (const [name, source] of Object.entries(facades)) {
  const path = join(dist, source.replace("src/", "").replace(/ts$/, "js"));
  const chunk = relative(join(path, ".."), join(dist, "cli", `${name}.js`)).replaceAll(sep, "/");
  const from = chunk.startsWith(".") ? chunk : `./${chunk}`;
  const names = exported.get(`${name}.js`) ?? [];
  writeFileSync(path, `import all from "${from}";\nexport const { ${names.join(", ")} } = all;\n`);
}
const licences = within.map((name) => {
  const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(dist, "cli/LICENSES"), licences.join("\n\n"));

/**
 * Writes chunks of these sources into `cli`, and returns the names that each file exports.
 *
 * @param {Record<string, string>} input
 * @returns {Promise<ReadonlyMap<string, readonly string[]>>}
 */
async function bundle(input) {
  const isUnbundled = "unbundled-imports" in input;
  const made = await rolldown({ cwd: ROOT, input, platform: "node", plugins: [plugin(isUnbundled)] });
  const { output } = await made.write({
    dir: join(dist, "cli"),
    format: "cjs",
    sourcemap: withMaps,
    // At every start all of it is read, and half of that is names and blanks. Names of functions stay for stack traces.
    minify: {
      compress: true,
      mangle: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await made.close();
  const chunks = output.filter((one) => one.type === "chunk");
  const files = new Set(output.map(({ fileName }) => fileName));
  for (const { fileName, dynamicImports } of isUnbundled ? [] : chunks) {
    const far = dynamicImports.find((one) => !files.has(one));
    if (far) throw new Error(`${fileName} cannot import \`${far}\`; src/app/unbundled-imports.ts can`);
  }
  return new Map(chunks.map(({ fileName, exports }) => [fileName, exports]));
}

/**
 * Removes what the compiler made of the sources that are bundled; `prune.mjs` removes the rest.
 *
 * @param {string} folder
 */
function removeModules(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) rmSync(join(entry.parentPath, entry.name));
}

/**
 * @param {boolean} isUnbundled
 * @returns {import("rolldown").Plugin}
 */
function plugin(isUnbundled) {
  return {
    name: "foreclaim",
    resolveId(specifier, importer) {
      if (specifier.startsWith("\0facade:")) return specifier;
      if (importer === undefined || within.includes(specifier)) return undefined;
      if (importer.startsWith("\0facade:")) return undefined;
      if (!specifier.startsWith(".")) return { id: specifier, external: true };
      const target = join(importer, "..", specifier);
      if (target === unbundled) return { id: "./unbundled-imports.js", external: true };
      if (!isUnbundled) return undefined;
      const name = relative(join(ROOT, "src/cli"), target).replace(/\.ts$/, ".js").replaceAll(sep, "/");
      return { id: name, external: true };
    },
    load(id) {
      if (!id.startsWith("\0facade:")) return undefined;
      return `export * from ${JSON.stringify(join(ROOT, id.slice(8)))};`;
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
