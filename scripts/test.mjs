// `npm test`: everything that must hold, in order, stopping at the first stage that fails.
// Arguments go to vitest: `npm test -- src/ir/value.test.ts` runs every stage, then only those tests.
// Once the tests have run, the last line is `N passed, N failed`, with `, N skipped` if there are any.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { isMain, ROOT, runNode, runTool } from "./tools.mjs";

const REPORT = "node_modules/.cache/vitest-report.json";

/** @type {readonly (readonly [name: string, run: () => number])[]} */
const STAGES = [
  ["install", ensureInstalled],
  ["format and lint", () => runTool("biome", ["check", "--error-on-warnings"])],
  ["rooms", () => runNode(["scripts/rooms.mjs"])],
  [
    "types",
    () =>
      runTool("tsc", []) ||
      runTool("tsc", ["-p", "src/web"]) ||
      runTool("tsc", ["-p", "src/playground/page"]),
  ],
  ["build", ensureBuilt],
  ["tests", runTests],
];

/** Gives the exit code of the first stage that failed, or 0. */
function main() {
  for (const [name, run] of STAGES) {
    console.log(`\n== ${name}`);
    const startMs = performance.now();
    const code = run();
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    console.log(`== ${name}: ${code === 0 ? "ok" : "FAILED"} in ${seconds} s`);
    if (run === runTests) console.log(`\n${countsLine(readReport(), code)}`);
    if (code !== 0) return code;
  }
  return 0;
}

function runTests() {
  rmSync(join(ROOT, REPORT), { force: true }); // an old report must not speak for this run
  const reporters = [
    "--reporter=default",
    "--reporter=json",
    "--reporter=./scripts/stalled-tests.mjs",
    `--outputFile.json=${REPORT}`,
  ];
  return runTool("vitest", ["run", ...reporters, ...process.argv.slice(2)]);
}

/**
 * @typedef {{ status: string, assertionResults: readonly { status: string }[] }} FileReport
 * @typedef {{ testResults: readonly FileReport[] }} Report
 */

/** @returns {Report} */
function readReport() {
  const path = join(ROOT, REPORT);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { testResults: [] };
}

/**
 * @param {Report} report
 * @param {number} exitCode vitest's
 */
export function countsLine(report, exitCode) {
  const statuses = report.testResults.flatMap((file) =>
    // A file that could not be loaded has no tests to fail, and must still count as a failure.
    file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed")
      ? ["failed", ...file.assertionResults.map(({ status }) => status)]
      : file.assertionResults.map(({ status }) => status),
  );
  const passed = statuses.filter((status) => status === "passed").length;
  let failed = statuses.filter((status) => status === "failed").length;
  const skipped = statuses.length - passed - failed;
  // Vitest also fails for what belongs to no test: an unhandled rejection, no test found, a crash.
  if (exitCode !== 0) failed = Math.max(failed, 1);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

if (isMain(import.meta.url)) process.exitCode = main();
