// `npm run mutants [-- --count N --seed S --minutes M --tests a,b]`: puts faults into a copy of the prover and of the certificate
// checker, one line at a time, each of which makes it claim more, and runs a choice of tests until one fails. Prints the faults that
// no test noticed. A fault may also be harmless: another check says the same. Exit code 1 if a fault was not noticed.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensure.mjs";
import { isMain, ROOT } from "./tools.mjs";

const FOLDERS = ["src/prove", "src/certificate"];

/** Parts on which no "proved" rests: the search for counterexamples, and processes of solvers. */
const LEFT_OUT = /^src\/prove\/(refute|decide\/solver)\//;

/** Tests that look for wrong proofs, the quickest first. */
const TESTS = [
  "tests/certify/near-misses.process.test.ts",
  "src/prove/prove.process.test.ts",
  "src/prove/goals",
  "src/prove/loops/collected-lists.process.test.ts",
  "src/prove/loops/loops-wrong.process.test.ts",
  "src/prove/loops/loops-near-misses.process.test.ts",
  "src/prove/loops/nested-folds.process.test.ts",
  "src/prove/slice",
  "src/prove/terms",
  "tests/certify/hostile.test.ts",
  "tests/certify/iterations.process.test.ts",
  "tests/flow/verdicts.process.test.ts",
  "tests/adversary/broken.process.test.ts",
  "src/prove/soundness.process.test.ts",
  "src/prove/loops/nested-soundness.process.test.ts",
];

const DROPPED =
  /^\s*if \(.*\) (return (undefined|false|no|none|"unknown"|unknown\b.*|\[\]);|throw .*;|continue;)$/;

/**
 * Kinds of faults. Each takes a line of source, and gives it with the fault, or undefined where there is no place for it.
 *
 * @type {Readonly<Record<string, (line: string) => string | undefined>>}
 */
export const FAULTS = {
  "a guard is dropped": (line) =>
    // What tells types apart, and our own faults, weaken nothing.
    !/ === undefined\b|TypeError|\.kind !== /.test(line) && DROPPED.test(line)
      ? line.replace(/^(\s*)if \(.*$/, "$1;")
      : undefined,
  "the second condition is dropped": (line) =>
    /^\s*(return|const \w+ =) [^"`]*? && [^"`(]*(\([^()"`]*\))?[^"`()]*;$/.test(line)
      ? line.replace(/ && .*;$/, ";")
      : undefined,
  "all becomes some": (line) => (line.includes(".every(") ? line.replace(".every(", ".some(") : undefined),
  "something is not asked": (line) =>
    /^\s*[\w.#]*(obligations|requirements|questions|goals|unmet|open)\.push\(.*\);$/.test(line)
      ? line.replace(/^(\s*).*$/, "$1;")
      : undefined,
  "a bound is off by one": (line) =>
    / <= \w/.test(line) && /\b(if|return|while)\b/.test(line) ? line.replace(" <= ", " < ") : undefined,
  "a negation is lost": (line) =>
    /\bnot\(\w+\)/.test(line) ? line.replace(/(?:[\w#.]*\.)?\bnot\((\w+)\)/, "$1") : undefined,
  "or becomes and": (line) =>
    /^\s*(return|if \() ?[^"`]*\|\|/.test(line) ? line.replace("||", "&&") : undefined,
};

/** @typedef {{ file: string, at: number, kind: string, before: string, after: string }} Mutant */

/**
 * Every place of every fault, in the order of files.
 *
 * @param {string} root
 * @returns {Mutant[]}
 */
export function mutantsIn(root) {
  const files = FOLDERS.flatMap((folder) => sourcesIn(join(root, folder)));
  return files
    .filter((file) => !LEFT_OUT.test(relative(root, file)))
    .flatMap((file) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((before, at) =>
          Object.entries(FAULTS).flatMap(([kind, make]) => {
            const after = /^\s*(\/\/|\*|\/\*|import|export \{)/.test(before) ? undefined : make(before);
            return after === undefined || after === before
              ? []
              : [{ file: relative(root, file), at, kind, before, after }];
          }),
        ),
    );
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((one) => {
      const path = join(folder, one.name);
      if (one.isDirectory()) return sourcesIn(path);
      return one.name.endsWith(".ts") && !/\.(test|soak)\.ts$/.test(one.name) ? [path] : [];
    });
}

/**
 * So many of them, chosen by the seed.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {number} count
 * @param {number} seed
 * @returns {T[]}
 */
export function chosen(all, count, seed) {
  let state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  const left = [...all];
  /** @type {T[]} */
  const taken = [];
  while (taken.length < count && left.length > 0) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    taken.push(...left.splice(state % left.length, 1));
  }
  return taken;
}

if (isMain(import.meta.url)) process.exitCode = ensureInstalled() || main();

function main() {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "600" },
      tests: { type: "string" },
    },
  });
  const [count, seed, minutes] = [Number(values.count), Number(values.seed), Number(values.minutes)];
  if (![count, seed].every(Number.isInteger) || !(minutes > 0)) {
    console.error("--count and --seed take an integer, --minutes a positive number");
    return 2;
  }
  const tests = values.tests?.split(",") ?? TESTS;
  const copy = mkdtempSync(join(tmpdir(), "foreclaim-mutants-"));
  try {
    for (const name of readdirSync(ROOT))
      if (!["node_modules", ".git"].includes(name))
        cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    const all = mutantsIn(copy);
    console.log(`${all.length} places for faults; ${count} of them, by seed ${seed}`);
    return tryAll(copy, chosen(all, count, seed), tests, performance.now() + minutes * 60_000);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * @param {string} copy
 * @param {readonly Mutant[]} mutants
 * @param {readonly string[]} tests
 * @param {number} endMs
 */
function tryAll(copy, mutants, tests, endMs) {
  const missed = [];
  let [noticed, tried] = [0, 0];
  for (const mutant of mutants) {
    if (performance.now() > endMs) break;
    tried++;
    const outcome = tryOne(copy, mutant, tests);
    if (outcome === "noticed") noticed++;
    else missed.push(mutant);
    console.log(
      `${tried} ${outcome}: ${mutant.file}:${mutant.at + 1} ${mutant.kind}: ${mutant.before.trim()}`,
    );
  }
  console.log(`\n${noticed} of ${tried} faults noticed`);
  for (const { file, at, kind, before, after } of missed)
    console.log(`not noticed: ${file}:${at + 1} ${kind}\n  - ${before.trim()}\n  + ${after.trim()}`);
  return missed.length === 0 ? 0 : 1;
}

/**
 * @param {string} copy
 * @param {Mutant} mutant
 * @param {readonly string[]} tests
 * @returns {"noticed" | "not noticed"}
 */
function tryOne(copy, { file, at, after }, tests) {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  const lines = source.split("\n");
  writeFileSync(path, lines.with(at, after).join("\n"));
  try {
    const vitest = join(copy, "node_modules/vitest/vitest.mjs");
    const ran = spawnSync(process.execPath, [vitest, "run", "--bail", "1", "--reporter=dot", ...tests], {
      cwd: copy,
      encoding: "utf8",
      env: { ...process.env, FORECLAIM_SEED: "1" },
    });
    return ran.status === 0 ? "not noticed" : "noticed";
  } finally {
    writeFileSync(path, source);
  }
}
