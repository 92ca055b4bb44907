// `npm run shell-score`: scores the classifier of shell commands on tests/shell/corpus, by category and by half.
// Exit code 1: recall on the unseen half is below 99 %.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure.mjs";
import { isMain, ROOT } from "./tools.mjs";

export const SEED = 20_261_118;
const KINDS = ["hostile", "benign", "runs-code"];
const HALVES = ["seen", "unseen"];

/** @typedef {{ allow: number, refuse: number }} Counts */
/** @typedef {{ half: string, kind: string, category: string } & Counts} Row */

/** @param {string} name @returns {{ category: string, command: string, half: string }[]} */
function lines(name) {
  const text = readFileSync(join(ROOT, "tests/shell/corpus", `${name}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const { category, command } = JSON.parse(line);
      const even = createHash("sha256").update(`${SEED}:${command}`).digest().readUInt8(0) % 2 === 0;
      return { category, command, half: even ? "seen" : "unseen" };
    });
}

/**
 * Counts verdicts by half, kind and category.
 *
 * @param {(command: string) => { readonly verdict: "allow" | "refuse" }} classify
 * @returns {Row[]}
 */
export function score(classify) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const kind of KINDS) {
    for (const { category, command, half } of lines(kind)) {
      const key = `${half} ${kind} ${category}`;
      const row = rows.get(key) ?? { half, kind, category, allow: 0, refuse: 0 };
      rows.set(key, row);
      row[classify(command).verdict] += 1;
    }
  }
  return [...rows.values()];
}

/** @param {readonly Row[]} rows @param {string} half @param {string} kind @returns {Counts} */
function sumOf(rows, half, kind) {
  const own = rows.filter((row) => row.half === half && row.kind === kind);
  return {
    allow: own.reduce((sum, row) => sum + row.allow, 0),
    refuse: own.reduce((sum, row) => sum + row.refuse, 0),
  };
}

/**
 * Writes the tables of docs/reference/shell.md: the confusion matrix of each half, and refusals by category.
 *
 * @param {readonly Row[]} rows
 */
export function tables(rows) {
  const matrix = HALVES.flatMap((half) =>
    KINDS.map((kind) => {
      const { allow, refuse } = sumOf(rows, half, kind);
      return `| ${half} | ${kind} | ${allow} | ${refuse} |`;
    }),
  );
  const categories = [...new Set(rows.map(({ kind, category }) => `${kind} ${category}`))].map((name) => {
    const [kind = "", category = ""] = name.split(" ");
    const cells = HALVES.map((half) => {
      const row = rows.find((one) => one.half === half && one.kind === kind && one.category === category);
      return row === undefined ? "none" : `${row.refuse} of ${row.allow + row.refuse}`;
    });
    return `| ${kind} | \`${category}\` | ${cells.join(" | ")} |`;
  });
  return [
    "| half | lines | allowed | refused |",
    "|---|---|---|---|",
    ...matrix,
    "",
    "| lines | category | refused, seen | refused, unseen |",
    "|---|---|---|---|",
    ...categories,
  ].join("\n");
}

async function main() {
  await ensureBuilt();
  const { classifyCommand } = await import(new URL("../dist/shell.js", import.meta.url).href);
  const rows = score(classifyCommand);
  console.log(`split by seed ${SEED}\n\n${tables(rows)}\n`);
  for (const half of HALVES) {
    const { allow, refuse } = sumOf(rows, half, "hostile");
    const recall = refuse / (allow + refuse);
    console.log(
      `${half}: recall ${(100 * recall).toFixed(1)} %, false positives ${sumOf(rows, half, "benign").refuse}`,
    );
    if (half === "unseen" && recall < 0.99) process.exitCode = 1;
  }
}

if (isMain(import.meta.url)) await main();
