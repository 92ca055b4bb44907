// `npm run soak [-- --seed N --minutes M --programs N]`: the random tests, and those in *.soak.ts, in rounds with a new seed each,
// until one fails or the time is up. `--programs N` proves so many random programs with loops instead, however long it takes, and
// `--nested N` attempts to prove what is known to be broken of so many random programs with loops in loops. `--engines N` runs so
// many random programs in three engines, and `--surface N` attempts to prove what is broken of so many over the whole surface.

import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { RANDOM } from "./random-tests.mjs";
import { ROOT, toolPath } from "./tools.mjs";

/** Factor on the usual number of runs of each property per round; more rounds are more seeds. */
const SCALE = 1;

/** A timer that is to wait longer fires at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string", default: "5" },
    programs: { type: "string" },
    nested: { type: "string" },
    engines: { type: "string" },
    surface: { type: "string" },
  },
});
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const minutes = Number(values.minutes);
const programs = values.programs === undefined ? undefined : Number(values.programs);
const nested = values.nested === undefined ? undefined : Number(values.nested);
const engines = values.engines === undefined ? undefined : Number(values.engines);
const surface = values.surface === undefined ? undefined : Number(values.surface);

process.exitCode = ensureInstalled() || ensureBuilt() || (await soak());

/** Gives an exit code. */
async function soak() {
  const areCounts = [programs, nested, engines, surface].every(
    (n) => n === undefined || (Number.isInteger(n) && n > 0),
  );
  if (!Number.isInteger(firstSeed) || !(minutes > 0) || !areCounts) {
    console.error(
      "--seed takes an integer, --minutes, --programs, --nested, --engines and --surface a positive number",
    );
    return 2;
  }
  if (programs !== undefined)
    return soakPrograms(programs, "src/prove/loops/loops.soak.ts", "FORECLAIM_PROGRAMS");
  if (nested !== undefined) return soakPrograms(nested, "src/prove/loops/nested.soak.ts", "FORECLAIM_NESTED");
  if (engines !== undefined)
    return soakPrograms(engines, "tests/frontend/engines/engines.soak.ts", "FORECLAIM_ENGINES");
  if (surface !== undefined)
    return soakPrograms(surface, "tests/adversary/surface.soak.ts", "FORECLAIM_SURFACE");
  const endMs = performance.now() + minutes * 60_000;
  for (let round = 0; ; round++) {
    const seed = firstSeed + round;
    console.log(`\n== round ${round + 1}, seed ${seed}`);
    const outcome = await runRound(seed, endMs - performance.now());
    if (outcome === "failed") {
      console.error(
        `\nseed ${seed} failed; repeat it with: npm run soak -- --seed ${seed} --minutes ${minutes}`,
      );
      return 1;
    }
    if (outcome === "out of time") {
      console.log(`\n${round} whole rounds passed in ${minutes} minutes, from seed ${firstSeed}`);
      if (round > 0) return 0;
      console.error("not even one round was finished, which says nothing: give it more --minutes");
      return 1;
    }
  }
}

/**
 * Gives an exit code.
 * @param {number} count of programs
 * @param {string} file the test
 * @param {string} variable that tells it how many
 */
async function soakPrograms(count, file, variable) {
  console.log(`\n== ${count} programs of ${file}, from seed ${firstSeed}`);
  const outcome = await runRound(firstSeed, MAX_TIMEOUT_MS, [file], { [variable]: `${count}` });
  return outcome === "passed" ? 0 : 1;
}

/**
 * @param {number} seed
 * @param {number} timeoutMs
 * @param {readonly string[]} tests
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<"passed" | "failed" | "out of time">}
 */
function runRound(seed, timeoutMs, tests = RANDOM, env = {}) {
  return new Promise((resolve, reject) => {
    const vitest = spawn(process.execPath, [toolPath("vitest"), "run", "--reporter=dot", ...tests], {
      cwd: ROOT,
      stdio: "inherit",
      env: {
        ...process.env,
        ...env,
        FORECLAIM_SEED: `${seed}`,
        FORECLAIM_RUNS: `${SCALE}`,
        // Also tells the tests that take as long as they are given how long that is.
        FORECLAIM_SOAK: `${minutes}`,
      },
    });
    let outOfTime = false;
    const timer = setTimeout(() => {
      outOfTime = true;
      vitest.kill("SIGTERM");
      setTimeout(() => vitest.kill("SIGKILL"), 10_000).unref(); // a test in a tight loop hears no SIGTERM
    }, timeoutMs);
    vitest.on("error", reject);
    vitest.on("exit", (code) => {
      clearTimeout(timer);
      resolve(outOfTime ? "out of time" : code === 0 ? "passed" : "failed");
    });
  });
}
