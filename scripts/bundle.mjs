// Puts the command line into few files: `node scripts/bundle.mjs dist` rewrites dist/cli. Loading two hundred small
// modules takes longer than proving a small program; a command loads its own chunk and no other.

import { rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const out = join(process.argv[2] ?? "dist", "cli");
const solvers = join(ROOT, "src/prove/solver");

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
        // Solvers start workers and look for files beside themselves, so they stay where the compiler put them.
        const target = join(importer, "..", specifier);
        if (relative(solvers, target) !== basename(target)) return undefined;
        return { id: `../prove/solver/${basename(target, ".ts")}.js`, external: true };
      },
    },
  ],
});
rmSync(out, { recursive: true, force: true });
await bundle.write({
  dir: out,
  format: "esm",
  sourcemap: true,
  // Less to read at every start; names stay, for what a stack says.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();
