// Puts the command line into few files: `node scripts/bundle.mjs dist` rewrites dist/cli. Loading two hundred small
// modules takes longer than proving a small program; a command loads its own chunk and no other.

import { rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const out = join(process.argv[2] ?? "dist", "cli");
/** Folders of src/ whose files look for others beside themselves: they stay where the compiler put them. */
const apart = ["prove/solver", "run"];

const bundle = await rolldown({
  cwd: ROOT,
  input: "src/cli/main.ts",
  platform: "node",
  plugins: [
    {
      name: "foreclaim",
      resolveId(specifier, importer) {
        if (importer === undefined) return undefined;
        if (!specifier.startsWith(".")) return { id: specifier, external: true };
        const target = join(importer, "..", specifier);
        const folder = apart.find((one) => relative(join(ROOT, "src", one), target) === basename(target));
        return folder && { id: `../${folder}/${basename(target, ".ts")}.js`, external: true };
      },
    },
  ],
});
rmSync(out, { recursive: true, force: true });
await bundle.write({
  dir: out,
  format: "esm",
  sourcemap: true,
  // At every start all of it is read, and half of that is names and blanks; the source maps know them.
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();
