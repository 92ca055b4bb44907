// Puts the command line into few files: `node scripts/bundle.mjs dist` rewrites dist/cli. Loading two hundred small
// modules takes longer than proving a small program; a command loads its own chunk and no other. They are CommonJS,
// which Node loads without waiting and without making a module of each of its own modules first.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const apart = join(ROOT, "src/cli/apart.ts");
const out = join(process.argv[2] ?? "dist", "cli");
/** Packages that every proof needs and that come along, so that Node need not look for them file by file. */
const within = ["commander", "oxc-parser", "picocolors"];

rmSync(out, { recursive: true, force: true });
for (const name of ["main", "apart", "command", "library"]) {
  const input = `src/cli/${name}.ts`;
  const bundle = await rolldown({ cwd: ROOT, input, platform: "node", plugins: [plugin(join(ROOT, input))] });
  const { output } = await bundle.write({
    dir: out,
    format: "cjs",
    sourcemap: true,
    // At every start all of it is read, and half of that is names and blanks; the source maps know them.
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
  const files = new Set(output.map(({ fileName }) => fileName));
  for (const chunk of name === "command" ? output : []) {
    const far = chunk.type === "chunk" && chunk.dynamicImports.find((one) => !files.has(one));
    if (far) throw new Error(`${chunk.fileName} cannot import \`${far}\`; src/cli/apart.ts can`);
  }
}
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');
const licences = within.map((name) => {
  const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(out, "LICENSES"), licences.join("\n\n"));

/**
 * @param {string} entry
 * @returns {import("rolldown").Plugin}
 */
function plugin(entry) {
  return {
    name: "foreclaim",
    resolveId(specifier, importer) {
      if (importer === undefined || within.includes(specifier)) return undefined;
      if (!specifier.startsWith(".")) return { id: specifier, external: true };
      const target = join(importer, "..", specifier);
      const isApart = entry === apart || target === apart;
      const name = relative(join(ROOT, "src/cli"), target).replace(/\.ts$/, ".js").replaceAll(sep, "/");
      return isApart ? { id: name.startsWith(".") ? name : `./${name}`, external: true } : undefined;
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
