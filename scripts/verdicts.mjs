// `node scripts/verdicts.mjs <other checkout>`: proves every example and every document of spec/ with this build and with
// that of another checkout (build both first: `npm run build`), and prints each hash, verdict or coverage that differs.
// The files are those of this checkout, for both. Exit code 1 if something differs.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectFiles } from "./files.mjs";
import { isMain, ROOT } from "./tools.mjs";

const PROGRAM = /^examples\/[^/]+\/[^/]+\.ts$|^(examples|spec\/effect-ir\/documents)\/.*\.eir$/;
/** LIMIT: of files for one command. */
const BATCH = 20;

/**
 * @typedef {{ file: string, hash?: string, verdict: string, guarantees: Guarantee[], obligations: Guarantee[], coverage: unknown, errors: { code: string }[] }} Proof
 * @typedef {{ name?: string, text: string, verdict: string, interruption?: unknown }} Guarantee
 */

/**
 * The comparable part of each proof, by file.
 *
 * @param {string} root of the checkout whose build proves
 * @param {readonly string[]} files
 * @returns {Promise<Map<string, string>>}
 */
async function verdictsOf(root, files) {
  const found = new Map();
  for (let i = 0; i < files.length; i += BATCH) {
    const proofs = await proveWith(root, files.slice(i, i + BATCH));
    for (const proof of proofs) found.set(proof.file, JSON.stringify(comparable(proof), null, 1));
    process.stderr.write(`\r${root}: ${Math.min(i + BATCH, files.length)} of ${files.length} `);
  }
  process.stderr.write("\n");
  return found;
}

/** @param {Proof} proof */
function comparable({ hash, verdict, guarantees, obligations, coverage, errors }) {
  const short = (/** @type {Guarantee} */ one) => ({
    text: one.name ?? one.text,
    verdict: one.verdict,
    interruption: one.interruption,
  });
  return {
    hash,
    verdict,
    guarantees: guarantees.map(short),
    obligations: obligations.map(short),
    coverage,
    errors: errors.map(({ code }) => code),
  };
}

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @returns {Promise<Proof[]>}
 */
function proveWith(root, files) {
  return new Promise((resolve, reject) => {
    const main = join(root, "dist/cli/main.js");
    const command = spawn(process.execPath, [main, "prove", "--json", ...files], { cwd: ROOT });
    let output = "";
    let problems = "";
    command.stdout.on("data", (chunk) => {
      output += chunk;
    });
    command.stderr.on("data", (chunk) => {
      problems += chunk;
    });
    command.on("close", () => {
      try {
        resolve(
          output
            .split("\n")
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        );
      } catch {
        reject(new Error(`${root} did not prove ${files[0]} …: ${problems || output.slice(0, 500)}`));
      }
    });
  });
}

if (isMain(import.meta.url)) {
  const other = process.argv[2];
  if (other === undefined || !existsSync(join(other, "dist/cli/main.js"))) {
    console.error("usage: node scripts/verdicts.mjs <other checkout>; both must be built: npm run build");
    process.exitCode = 2;
  } else {
    const files = projectFiles().filter((path) => PROGRAM.test(path));
    const [old, now] = await Promise.all([verdictsOf(other, files), verdictsOf(ROOT, files)]);
    let different = 0;
    for (const [file, text] of now) {
      const before = old.get(file);
      if (before === text) continue;
      different++;
      console.log(`${file}\n--- ${other}\n${before ?? "nothing"}\n+++ here\n${text}\n`);
    }
    console.log(`${now.size} files proved by both, ${different} with a difference`);
    process.exitCode = different > 0 || now.size !== files.length ? 1 : 0;
  }
}
