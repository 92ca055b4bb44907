// `npm run proofs [-- --write]`: checks every proof under proofs/ with Coq, checks the compiled proofs again with coqchk,
// extracts the models to JavaScript and compares them with the committed ones, and searches the ledger models with Spin.
// `--write` replaces the committed models. Installs nothing.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMain, ROOT } from "./tools.mjs";

/** Debian packages, and the commands that show that they are there. */
const PACKAGES = {
  coq: ["coqc", "coqchk", "coq_makefile"],
  "js-of-ocaml": ["js_of_ocaml", "ocamlfind"],
  spin: ["spin"],
  gcc: ["gcc"],
};

/**
 * The theories: folder, name in Coq, the names of their main theorems, and the model that is extracted from them.
 */
export const THEORIES = [
  { folder: "proofs/kernel", name: "Foreclaim", main: /^T[1-8]_/, model: "proofs/kernel/model.cjs" },
  { folder: "proofs/ir", name: "ForeclaimIR", main: /^IR_/, model: "proofs/ir/model.cjs" },
];

/** Ways to have a theorem without a proof. `Print Assumptions` finds most of them as well. */
const UNPROVED =
  /\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|bypass_check|Extract Constant|Unset (Guard|Positivity|Universe) Checking|type-in-type)\b/;

/** Largest extracted model, in bytes. */
export const MODEL_LIMIT = 400_000;

const started = performance.now();

/**
 * @param {string} what
 * @param {number} since
 */
function report(what, since) {
  console.log(`${what.padEnd(88)} ${((performance.now() - since) / 1000).toFixed(1).padStart(6)} s`);
}

/**
 * @param {string} why
 * @returns {never}
 */
function fail(why) {
  console.error(`proofs: ${why}`);
  process.exit(1);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error !== undefined || status !== 0) {
    fail(`${command} ${args.join(" ")} failed\n${`${stdout}${stderr}`.slice(-4000)}${error ?? ""}`);
  }
  return `${stdout}${stderr}`;
}

/**
 * As `run`, beside what else goes on.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
async function start(command, args, cwd) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      said += text;
    });
  }
  const [status] = await once(child, "close");
  return status === 0 ? said : fail(`${command} ${args.join(" ")} failed\n${said.slice(-4000)}`);
}

/** @param {string} text without its comments, which nest */
export function withoutComments(text) {
  let depth = 0;
  let kept = "";
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith("(*", i)) depth++;
    if (depth === 0 || text[i] === "\n") kept += text[i];
    if (text.startsWith("*)", i) && depth > 0) {
      depth--;
      i++;
    }
  }
  return kept;
}

/**
 * The files of a theory in the order in which they depend on each other is Coq's matter; here they are sorted.
 *
 * @param {string} folder
 */
export function theoryFiles(folder) {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".v"))
    .sort();
}

/**
 * The digest of all that a model is extracted from.
 *
 * @param {string} folder
 */
export function sourcesDigest(folder) {
  const hash = createHash("sha256");
  for (const name of [...theoryFiles(folder), "bridge.ml"]) {
    hash.update(`${name}\0${readFileSync(join(ROOT, folder, name), "utf8")}\0`);
  }
  return hash.digest("hex");
}

/**
 * The theorems of a theory: file, kind and name.
 *
 * @param {string} folder
 */
export function theoremsOf(folder) {
  return theoryFiles(folder).flatMap((file) => {
    const text = withoutComments(readFileSync(join(ROOT, folder, file), "utf8"));
    return [...text.matchAll(/^\s*(?:Theorem|Corollary|Lemma|Example)\s+([A-Za-z0-9_']+)/gm)].map(
      ([, name = ""]) => ({
        file,
        name,
      }),
    );
  });
}

/** @param {string} folder */
export function unproved(folder) {
  return theoryFiles(folder).flatMap((file) =>
    withoutComments(readFileSync(join(ROOT, folder, file), "utf8"))
      .split("\n")
      .flatMap((line, i) => (UNPROVED.test(line) ? [`${folder}/${file}:${i + 1}: ${line.trim()}`] : [])),
  );
}

/**
 * Builds the proofs of a theory and returns its main theorems.
 *
 * @param {(typeof THEORIES)[number]} theory
 * @param {string} scratch
 */
function buildTheory({ folder, name, main }, scratch) {
  const since = performance.now();
  const loose = unproved(folder);
  if (loose.length > 0) fail(`not proved:\n${loose.join("\n")}`);
  const at = join(scratch, name);
  cpSync(join(ROOT, folder), at, { recursive: true });
  writeFileSync(join(at, "_CoqProject"), `-R . ${name}\n${provedFiles(folder).join("\n")}\n`);
  run("coq_makefile", ["-f", "_CoqProject", "-o", "Makefile.coq"], at);
  run("make", ["-f", "Makefile.coq", `-j${Math.min(2, availableParallelism())}`], at);
  const theorems = theoremsOf(folder);
  const mains = theorems.filter((one) => main.test(one.name));
  report(
    `${folder}: ${theorems.length} lemmas and theorems proved, ${mains.length} of them main theorems`,
    since,
  );
  return mains;
}

/**
 * Files with proofs: all but the one that only extracts.
 *
 * @param {string} folder
 */
function provedFiles(folder) {
  return theoryFiles(folder).filter((file) => file !== "Extract.v");
}

/**
 * @param {string} folder
 * @returns {readonly string[]}
 */
function modulesOf(folder) {
  return provedFiles(folder).map((file) => file.replace(/\.v$/, ""));
}

/**
 * Asks Coq for the assumptions of each main theorem.
 *
 * @param {(typeof THEORIES)[number]} theory
 * @param {readonly { readonly file: string, readonly name: string }[]} mains
 * @param {string} scratch
 */
function printAssumptions({ folder, name }, mains, scratch) {
  const since = performance.now();
  const at = join(scratch, name);
  const asked = mains.map((one) => `Print Assumptions ${name}.${one.file.replace(/\.v$/, "")}.${one.name}.`);
  writeFileSync(
    join(at, "Assumptions.v"),
    `From ${name} Require ${modulesOf(folder).join(" ")}.\n${asked.join("\n")}\n`,
  );
  const said = run("coqc", ["-R", ".", name, "Assumptions.v"], at);
  const closed = said.match(/Closed under the global context/g)?.length ?? 0;
  if (closed !== mains.length || /^Axioms:/m.test(said)) {
    fail(`${closed} of ${mains.length} main theorems of ${folder} rest on no axiom\n${said}`);
  }
  report(`${folder}: Print Assumptions: ${closed} of ${mains.length} rest on no axiom`, since);
}

/**
 * Checks the compiled proofs of all theories again, with the library of Coq that they use.
 *
 * @param {readonly (typeof THEORIES)[number][]} theories
 * @param {string} scratch
 */
async function checkAgain(theories, scratch) {
  const since = performance.now();
  const folders = theories.flatMap(({ name }) => ["-R", join(scratch, name), name]);
  const modules = theories.flatMap(({ folder, name }) => modulesOf(folder).map((one) => `${name}.${one}`));
  const said = await start("coqchk", ["-silent", "-o", ...folders, ...modules], scratch);
  if (!/\* Axioms: <none>/.test(said)) fail(`coqchk finds axioms\n${said}`);
  report(`coqchk checked ${modules.length} files again, no axiom`, since);
}

/**
 * Extracts the model of a theory, and compares it with the committed one or replaces that.
 *
 * @param {(typeof THEORIES)[number]} theory
 * @param {string} scratch
 * @param {boolean} write
 */
function extractModel({ folder, name, model }, scratch, write) {
  const since = performance.now();
  const at = join(scratch, name);
  run("coqc", ["-R", ".", name, "Extract.v"], at);
  const sources = ["model.mli", "model.ml", "bridge.ml"];
  run(
    "ocamlfind",
    ["ocamlc", "-w", "-a", "-package", "js_of_ocaml", "-linkpkg", ...sources, "-o", "bridge.byte"],
    at,
  );
  run("js_of_ocaml", ["--opt", "3", "bridge.byte", "-o", "made.cjs"], at);
  const text = `${bannerOf(folder)}\n${withoutHandler(readFileSync(join(at, "made.cjs"), "utf8")).trimEnd()}\n`;
  if (text.length > MODEL_LIMIT) fail(`the model of ${folder} has ${text.length} bytes, over ${MODEL_LIMIT}`);
  if (write) writeFileSync(join(ROOT, model), text);
  else if (!existsSync(join(ROOT, model)) || readFileSync(join(ROOT, model), "utf8") !== text) {
    fail(`${model} is not what ${folder} extracts to: run \`npm run proofs -- --write\``);
  }
  report(`${folder}: extracted; ${model} ${write ? "written" : "is the same"} (${text.length} bytes)`, since);
}

/**
 * The runtime of js_of_ocaml ends the process at any exception that nobody catches; a library must not.
 *
 * @param {string} text
 */
function withoutHandler(text) {
  const handler =
    /process\.on\("uncaughtException",function\(\w+,\w+\)\{\w+\(\w+\);\w+\.process\.exit\(2\)\}\)/g;
  if (text.match(handler)?.length !== 1) fail("the runtime of js_of_ocaml is not the one that is known here");
  return text.replace(handler, "process.version");
}

/**
 * The first line of a model, by which the tests see that it belongs to the sources.
 *
 * @param {string} folder
 */
export function bannerOf(folder) {
  return `// Generated from ${folder} by \`npm run proofs -- --write\`; do not edit. Sources: sha256 ${sourcesDigest(folder)}`;
}

function missingPackages() {
  const has = (/** @type {string} */ command) => spawnSync("which", [command]).status === 0;
  return Object.entries(PACKAGES).flatMap(([name, commands]) => (commands.every(has) ? [] : [name]));
}

/**
 * @param {string} scratch
 */
function checkLedger(scratch) {
  const folder = "proofs/ledger";
  const cases = JSON.parse(readFileSync(join(ROOT, folder, "cases.json"), "utf8"));
  for (const { name, model, defines, finds, search = [] } of cases) {
    const since = performance.now();
    const at = mkdtempSync(join(scratch, "spin-"));
    cpSync(join(ROOT, folder, model), join(at, model));
    run("spin", ["-a", ...defines.map((/** @type {string} */ one) => `-D${one}`), model], at);
    run(
      "gcc",
      ["-O2", "-DSAFETY", "-DCOLLAPSE", "-DNOFAIR", "-DVECTORSZ=4096", "-DMEMLIM=4000", "-o", "pan", "pan.c"],
      at,
    );
    const said = run("./pan", ["-m1000000", "-n", ...search], at);
    const states = Number(/(\d+(?:\.\d+)?(?:e\+\d+)?) states, stored/.exec(said)?.[1] ?? 0);
    const errors = Number(/errors: (\d+)/.exec(said)?.[1] ?? Number.NaN);
    const complete = !/max search depth too small|search not completed|out of memory/i.test(said);
    if (finds === undefined ? errors !== 0 || !complete : !(errors > 0)) {
      fail(
        `${folder}: ${name}: ${errors} errors${complete ? "" : ", search not complete"}\n${said.slice(0, 2000)}`,
      );
    }
    const found = /assertion violated ([^\n]*?) \(at|invalid end state/.exec(said)?.[0] ?? "";
    report(
      finds === undefined
        ? `${folder}: ${name}: all ${states} states, no error`
        : `${folder}: fault "${name}" found: ${found.replace(/ \(at$/, "")}`,
      since,
    );
  }
}

async function main() {
  const { values } = parseArgs({
    options: { write: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const missing = missingPackages();
  if (missing.length > 0) {
    fail(
      `needs the Debian packages ${Object.keys(PACKAGES).join(", ")}; missing: ${missing.join(", ")}\n` +
        `apt-get install --no-install-recommends ${missing.join(" ")}`,
    );
  }
  const scratch = mkdtempSync(join(tmpdir(), "foreclaim-proofs-"));
  try {
    const wanted = (/** @type {string} */ folder) =>
      values.only === undefined || folder.endsWith(values.only);
    const theories = THEORIES.filter(({ folder }) => wanted(folder));
    const mains = theories.map((theory) => buildTheory(theory, scratch));
    // The second check takes longest and runs beside the rest.
    const again = theories.length === 0 ? undefined : checkAgain(theories, scratch);
    theories.forEach((theory, i) => {
      extractModel(theory, scratch, values.write);
      printAssumptions(theory, mains[i] ?? [], scratch);
    });
    if (wanted("proofs/ledger")) checkLedger(scratch);
    await again;
    theories.forEach(({ folder }, i) => {
      for (const { file, name } of mains[i] ?? []) console.log(`  ${name.padEnd(32)} ${folder}/${file}`);
    });
    report(`${mains.flat().length} main theorems, no axiom`, started);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) await main();
