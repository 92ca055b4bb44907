// `node scripts/on-node.mjs 24 [arguments for vitest]`: runs the tests on another version of Node, which is
// taken from npm (packages that hold nothing but Node itself) and kept below node_modules/.cache.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { ROOT, runNode, runNpm, toolPath } from "./tools.mjs";

/** @type {Readonly<Record<string, string>>} */
const VERSIONS = { 20: "20.20.2", 22: "22.23.3", 24: "24.21.0" };

/** Random tests are for our own mistakes, which are the same on every Node: a tenth of the cases is enough to see that. */
const RUNS = { FORECLAIM_RUNS: process.env.FORECLAIM_RUNS ?? "0.1" };

/**
 * Tests for every Node version: those of files, processes, workers, native modules, texts and numbers. Proofs depend
 * on nothing of Node, so their tests, and the long ones, run on one version.
 */
const EVERYWHERE = [
  "src/approve/",
  "src/cli/",
  "src/ir/",
  "src/ledger/",
  "src/prove/decide/solver/",
  "src/run/",
  "tests/approve/",
  "tests/cli/",
  "tests/conformance/",
  "tests/frontend/differential.test.ts",
  "tests/kernel/isolated.process.test.ts",
  "tests/plan/run.test.ts",
  "tests/run/resume.test.ts",
  "tests/run/run-program.test.ts",
  "tests/run/undo.test.ts",
  "tests/stdlib/",
  "tests/support/",
  "tests/scripts.test.ts",
];
const LONG = [
  "*soundness.process",
  "loops.process",
  "simplify.process",
  "proofs.process",
  "solver/contract.process",
  "solver/native.process",
  "solver/operators.process",
  "solver/literals.process",
  "postgres/ahead.process",
  "postgres/ledger.process",
  "postgres-crash.process",
  "cli/coverage.process",
  "cli/foreclaim.process",
  "cli/prove-program.process",
  "cli/trace.process",
  "commands/compare.process",
  "commands/lint.process",
].flatMap((name) => ["--exclude", `**/${name}.test.ts`]);

const [major = "", ...args] = process.argv.slice(2);
const version = VERSIONS[major];

if (version === undefined) {
  console.error(`usage: node scripts/on-node.mjs ${Object.keys(VERSIONS).join("|")} [arguments for vitest]`);
  process.exitCode = 2;
} else {
  process.exitCode = ensureInstalled() || ensureBuilt() || runTests(version);
}

/**
 * @param {string} version
 * @returns {number} an exit code
 */
function runTests(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(ROOT, `node_modules/.cache/node-${version}`);
  const node = join(folder, `node_modules/${name}/bin/node`);
  if (!existsSync(node)) {
    console.log(`fetching Node ${version} …`);
    mkdirSync(folder, { recursive: true });
    const code = runNpm([
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--ignore-scripts",
      `${name}@${version}`,
    ]);
    if (code !== 0) return code;
  }
  console.log(`testing on Node ${version}`);
  const what = args.length > 0 ? args : [...LONG, ...EVERYWHERE];
  return runNode(
    [toolPath("vitest"), "run", "--reporter=dot", "--reporter=./scripts/stalled-tests.mjs", ...what],
    RUNS,
    node,
  );
}
