// `npm run corpus [-- --share K/N --domain mail --header broken --folder DIR --seconds S --compile --json]`: compiles and proves the programs of
// spec/code-mode, which were written without knowledge of the language, and compares the verdicts with those in their headers.
// Exit code 1: a guarantee was proved of a program that breaks it.

import { fork } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ensureInstalled } from "./ensure.mjs";
import { isMain, ROOT } from "./tools.mjs";

export const CORPUS = join(ROOT, "spec/code-mode");

/**
 * @typedef {{ file: string, domain: string, holds: boolean, broken: readonly string[] }} Program
 *   `broken` are the contracts that the header names.
 * @typedef {{ verdict: string, name?: string, text?: string, why?: string, kind?: string }} Finding
 * @typedef {{ code: string, message: string, help: string | undefined, line?: number, source?: string, file?: string }} Refusal
 * @typedef {{ kind: "refused", errors: readonly Refusal[] } | { kind: "stopped" } | { kind: "compiled" }
 *   | { kind: "proved", verdict: string, guarantees: readonly Finding[], obligations: readonly Finding[] }} Outcome
 * @typedef {{ program: Program, outcome: Outcome, ms: number }} Measured
 * @typedef {"stronger" | "weaker" | "unstated"} Gap how the stated contract differs from the text of `tools.md`
 */

/**
 * The programs of the corpus with the verdicts of their headers.
 *
 * @param {string} [folder]
 * @returns {Program[]}
 */
export function programsIn(folder = CORPUS) {
  const domains = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return domains.flatMap(({ name: domain }) =>
    readdirSync(join(folder, domain))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => programOf(join(folder, domain, name), domain)),
  );
}

/**
 * @param {string} file
 * @param {string} domain
 * @returns {Program}
 */
function programOf(file, domain) {
  const verdict = /^ \* Verdict: (holds|broken)(.*)$/m.exec(readFileSync(file, "utf8"));
  if (verdict === null) throw new Error(`${file}: the header has no verdict`);
  const [, word, rest = ""] = verdict;
  const broken = [...rest.matchAll(/(\w+)\(/g)].map(([, name]) => `${domain}.${name}`);
  return { file, domain, holds: word === "holds", broken };
}

/**
 * The contracts of a domain whose formula is not what `tools.md` says, from the tags of their comments.
 *
 * @param {string} domain
 * @param {string} [folder]
 * @returns {Map<string, Gap>}
 */
export function gapsOf(domain, folder = CORPUS) {
  const path = join(folder, domain, "tools", `${domain}.ts`);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const tagged = text.matchAll(/@(stronger|weaker|unstated)\b[^*]*\*\/\s*export const (\w+)/g);
  // SAFETY: the pattern matches no other words.
  return new Map([...tagged].map(([, gap, name]) => [`${domain}.${name}`, /** @type {Gap} */ (gap)]));
}

/** Programs that only JavaScript breaks: here a checked cast throws before the call that their headers speak of. */
const castStops = new Set(["triage-inbox-broken.ts", "reorder-low-stock-broken.ts"]);

/**
 * Compares an outcome with the header.
 *
 * @param {Measured} measured
 * @param {ReadonlyMap<string, Gap>} gaps
 * @returns {{ answer: string, wrongProofs: string[], wrongRefutations: string[] }}
 */
export function judged({ program, outcome }, gaps) {
  if (outcome.kind !== "proved") return { answer: outcome.kind, wrongProofs: [], wrongRefutations: [] };
  const { guarantees, obligations } = outcome;
  const named = (/** @type {string} */ name) => program.broken.includes(name);
  const of = (/** @type {string} */ verdict) => guarantees.filter((one) => one.verdict === verdict);
  /** @type {(one: Finding, ...allowed: Gap[]) => boolean} */
  const excused = ({ name = "" }, ...allowed) => allowed.some((gap) => gap === gaps.get(name));
  const mustNot = guarantees.filter((one) => program.broken.length === 0 || named(one.name ?? ""));
  // A header without a name says that one of the guarantees is broken.
  const areAllProved =
    !program.holds && mustNot.length > 0 && mustNot.every((one) => one.verdict === "proved");
  // A program whose obligations are not proved is not run. A name may stand twice, with other arguments.
  const isRun = obligations.every((one) => one.verdict === "proved");
  const isCaught = (/** @type {Finding} */ { name }) =>
    guarantees.some((one) => one.name === name && one.verdict !== "proved");
  const isNamedProved = !program.holds && program.broken.length > 0;
  const suspects =
    isRun && !castStops.has(basename(program.file)) && (areAllProved || isNamedProved)
      ? mustNot.filter((one) => one.verdict === "proved" && !isCaught(one))
      : [];
  const isExcused = program.broken.length === 0 && suspects.some((one) => excused(one, "weaker", "unstated"));
  const wrongProofs = isExcused ? [] : suspects.filter((one) => !excused(one, "weaker", "unstated"));
  const wrongRefutations = [
    ...of("refuted").filter((one) => program.holds && !excused(one, "stronger", "unstated")),
    ...obligations.filter((one) => one.verdict === "refuted"),
  ];
  return {
    answer: answerOf(guarantees, obligations),
    wrongProofs: wrongProofs.map(sayFinding),
    wrongRefutations: wrongRefutations.map(sayFinding),
  };
}

/**
 * @param {readonly Finding[]} guarantees
 * @param {readonly Finding[]} obligations
 */
function answerOf(guarantees, obligations) {
  const verdicts = guarantees.map((one) => one.verdict);
  const isOpen = verdicts.includes("unknown") || obligations.some((one) => one.verdict === "unknown");
  if (verdicts.includes("refuted")) return "refuted";
  if (obligations.some((one) => one.verdict === "refuted")) return "obligation refuted";
  if (isOpen) return "unknown";
  return "proved";
}

/** @param {Finding} finding */
function sayFinding({ name, text, kind }) {
  return name ?? `${kind}: ${text}`;
}

// ── measuring ────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Proves programs one after the other in a process of its own, which is replaced when it takes too long.
 *
 * @param {readonly Program[]} programs
 * @param {{ seconds: number, compileOnly: boolean, onEach?: (one: Measured, index: number) => void }} options
 * @returns {Promise<Measured[]>}
 */
export async function measure(programs, { seconds, compileOnly, onEach }) {
  let worker = startWorker();
  /** @type {Measured[]} */
  const measured = [];
  for (const program of programs) {
    const start = performance.now();
    const outcome = await ask(worker, { file: program.file, compileOnly }, seconds * 1000);
    if (outcome === undefined) {
      worker.kill("SIGKILL");
      worker = startWorker();
    }
    const one = {
      program,
      outcome: outcome ?? { kind: /** @type {const} */ ("stopped") },
      ms: Math.round(performance.now() - start),
    };
    measured.push(one);
    onEach?.(one, measured.length);
  }
  worker.kill("SIGKILL");
  return measured;
}

function startWorker() {
  return fork(import.meta.filename, ["--worker"], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
}

/**
 * @param {import("node:child_process").ChildProcess} worker
 * @param {{ file: string, compileOnly: boolean }} question
 * @param {number} limitMs
 * @returns {Promise<Outcome | undefined>} nothing if the process ended or took too long
 */
function ask(worker, question, limitMs) {
  return new Promise((resolve) => {
    const finish = (/** @type {Outcome | undefined} */ outcome) => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish(undefined), limitMs);
    worker.once("message", (outcome) => finish(/** @type {Outcome} */ (outcome)));
    worker.once("exit", () => finish(undefined));
    worker.send(question);
  });
}

/** The package as it is built; a name, so that types need no build. */
const built = "../dist/index.js";

async function work() {
  const { load, prove } = /** @type {typeof import("../src/index.ts")} */ (await import(built));
  process.on("disconnect", () => process.exit());
  process.on(
    "message",
    async (/** @type {{ file: string, compileOnly: boolean }} */ { file, compileOnly }) => {
      const loaded = await load(file);
      if (loaded.kind === "invalid") process.send?.({ kind: "refused", errors: refusals(loaded.errors) });
      else if (compileOnly) process.send?.({ kind: "compiled" });
      else {
        const { verdict, guarantees, obligations } = await prove(loaded);
        process.send?.({
          kind: "proved",
          verdict,
          guarantees: guarantees.map(({ name, verdict, why }) => ({ name, verdict, why })),
          obligations: obligations.map(({ kind, text, verdict, why }) => ({ kind, text, verdict, why })),
        });
      }
    },
  );
}

/**
 * The problems with the lines that they are about.
 *
 * @param {readonly import("../src/index.ts").Problem[]} errors
 * @returns {Refusal[]}
 */
function refusals(errors) {
  return errors.map(({ code, message, help, span }) => {
    if (span === null || !existsSync(span.file)) return { code, message, help };
    const { line, column } = span.start;
    const rows = readFileSync(span.file, "utf8").split("\n");
    const end = span.end.line === line ? span.end.column - 1 : undefined;
    const source = (rows[line - 1] ?? "").slice(column - 1, end);
    return { code, message, help, line, source, file: basename(span.file) };
  });
}

// ── report ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Counts, tables and wrong verdicts of what was measured, as data.
 *
 * @param {readonly Measured[]} measured
 * @param {string} [folder]
 */
export function summary(measured, folder = CORPUS) {
  const gaps = new Map(
    [...new Set(measured.map((one) => one.program.domain))].flatMap((domain) => [...gapsOf(domain, folder)]),
  );
  const rows = measured.map((one) => ({ ...one, ...judged(one, gaps) }));
  const name = (/** @type {Program} */ { file, domain }) => `${domain}/${basename(file)}`;
  const said = (/** @type {"wrongProofs" | "wrongRefutations"} */ key) =>
    rows
      .filter((one) => one[key].length > 0)
      .map((one) => ({ program: name(one.program), guarantees: one[key] }));
  const compiled = rows.filter(({ outcome }) => outcome.kind === "proved" || outcome.kind === "compiled");
  // Decided: the program as a whole is proved, or something of it is refuted by a run.
  const decided = rows.filter((one) => one.outcome.kind === "proved" && one.answer !== "unknown");
  const decidedRightly = decided.filter((one) => one.answer === (one.program.holds ? "proved" : "refuted"));
  /** @type {Record<string, Record<string, number>>} */
  const answers = { holds: {}, broken: {} };
  for (const { program, answer } of rows) {
    const row = answers[program.holds ? "holds" : "broken"] ?? {};
    row[answer] = (row[answer] ?? 0) + 1;
  }
  return {
    programs: rows.length,
    compiled: compiled.length,
    decided: decided.length,
    decidedRightly: decidedRightly.length,
    rest: restTable(rows, name),
    answers,
    wrongProofs: said("wrongProofs"),
    wrongRefutations: said("wrongRefutations"),
    refusals: refusalTable(rows, name),
    unknowns: unknownTable(rows, name),
    stopped: rows.filter(({ outcome }) => outcome.kind === "stopped").map(({ program }) => name(program)),
    slowest: [...rows]
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 10)
      .map(({ program, ms }) => ({ program: name(program), ms })),
  };
}

/**
 * @template T
 * @param {Map<string, T>} map
 * @param {string} key
 * @param {() => T} first
 */
function entry(map, key, first) {
  const found = map.get(key) ?? first();
  map.set(key, found);
  return found;
}

/**
 * Refusals by code and wording without the words of the program: `alone` counts programs with no other kind of refusal.
 *
 * @param {readonly Measured[]} rows
 * @param {(program: Program) => string} name
 */
function refusalTable(rows, name) {
  /** @type {Map<string, { programs: Set<string>, alone: number, constructs: Map<string, number> }>} */
  const table = new Map();
  for (const { program, outcome } of rows) {
    if (outcome.kind !== "refused") continue;
    const kinds = new Set(outcome.errors.map(({ code, message }) => `${code} ${plain(message)}`));
    for (const { code, message, source = "" } of outcome.errors) {
      const row = entry(table, `${code} ${plain(message)}`, () => ({
        programs: new Set(),
        alone: 0,
        constructs: new Map(),
      }));
      row.programs.add(name(program));
      row.constructs.set(source.slice(0, 70), (row.constructs.get(source.slice(0, 70)) ?? 0) + 1);
    }
    const [only] = kinds;
    if (kinds.size === 1 && only !== undefined) entry(table, only, () => never()).alone++;
  }
  return [...table]
    .map(([kind, { programs, alone, constructs }]) => ({
      kind,
      programs: programs.size,
      alone,
      constructs: [...constructs].sort((a, b) => b[1] - a[1]).slice(0, 6),
      examples: [...programs].slice(0, 3),
    }))
    .sort((a, b) => b.programs - a.programs);
}

/** @returns {never} */
function never() {
  throw new Error("a kind without a row");
}

/** @param {string} message */
function plain(message) {
  return message.replaceAll(/`[^`]*`/g, "`…`").replaceAll(/\b\d+\b/g, "N");
}

/**
 * @param {readonly Measured[]} rows
 * @param {(program: Program) => string} name
 */
function unknownTable(rows, name) {
  /** @type {Map<string, { count: number, examples: Set<string> }>} */
  const table = new Map();
  for (const { program, outcome } of rows) {
    if (outcome.kind !== "proved") continue;
    for (const one of [...outcome.guarantees, ...outcome.obligations]) {
      if (one.verdict !== "unknown") continue;
      const row = entry(table, plain(one.why ?? "no reason"), () => ({ count: 0, examples: new Set() }));
      row.count++;
      row.examples.add(`${name(program)} ${sayFinding(one)}`);
    }
  }
  return [...table]
    .map(([why, { count, examples }]) => ({ why, count, examples: [...examples].slice(0, 3) }))
    .sort((a, b) => b.count - a.count);
}

/**
 * Programs that are not decided as their header says, by the first reason: what kept the program from it.
 *
 * @param {readonly (Measured & { answer: string })[]} rows
 * @param {(program: Program) => string} name
 */
function restTable(rows, name) {
  /** @type {Map<string, string[]>} */
  const table = new Map();
  for (const row of rows) {
    const why = reasonOf(row);
    if (why !== undefined) entry(table, why, () => []).push(name(row.program));
  }
  return [...table]
    .map(([why, programs]) => ({ why, count: programs.length, programs }))
    .sort((a, b) => b.count - a.count);
}

/** @param {Measured & { answer: string }} row */
function reasonOf({ program, outcome, answer }) {
  if (answer === (program.holds ? "proved" : "refuted") || outcome.kind === "compiled") return undefined;
  const header = program.holds ? "holds" : "broken";
  if (outcome.kind === "stopped") return `${header}: took too long`;
  if (outcome.kind === "refused") return `${header}: not compiled`;
  if (answer !== "unknown") return `${header}: ${answer}`;
  const open = [...outcome.guarantees, ...outcome.obligations].find((one) => one.verdict === "unknown");
  return `${header}: unknown: ${plain(open?.why ?? "no reason")}`;
}

/** @param {ReturnType<typeof summary>} found */
export function sayReport(found) {
  const share = (/** @type {number} */ n) =>
    `${n} of ${found.programs} (${Math.round((100 * n) / Math.max(1, found.programs))} %)`;
  const lines = [
    `compiled           ${share(found.compiled)}`,
    `decided            ${share(found.decided)}`,
    `decided as header  ${share(found.decidedRightly)}`,
  ];
  for (const [truth, row] of Object.entries(found.answers))
    lines.push(
      `${truth.padEnd(19)}${Object.entries(row)
        .map(([word, n]) => `${word} ${n}`)
        .join(", ")}`,
    );
  lines.push("", "not decided as the header says: programs, by reason");
  for (const { why, count, programs } of found.rest)
    lines.push(`${String(count).padStart(5)}  ${why}`, `            e.g. ${programs.slice(0, 4).join(", ")}`);
  lines.push("", "refusals: programs, of these with no other kind, kind");
  for (const { kind, programs, alone, constructs, examples } of found.refusals) {
    lines.push(`${String(programs).padStart(5)}${String(alone).padStart(5)}  ${kind}`);
    lines.push(`            ${constructs.map(([text, n]) => `${n}× ${text}`).join("  ·  ")}`);
    lines.push(`            e.g. ${examples.join(", ")}`);
  }
  lines.push("", "unknown guarantees and obligations, by reason");
  for (const { why, count, examples } of found.unknowns)
    lines.push(`${String(count).padStart(5)}  ${why}`, `            e.g. ${examples.join(", ")}`);
  lines.push("", `stopped (took too long): ${found.stopped.join(", ") || "none"}`);
  lines.push(`slowest: ${found.slowest.map(({ program, ms }) => `${program} ${ms} ms`).join(", ")}`);
  lines.push("", "refuted though the header says it holds, or an obligation refuted:");
  for (const { program, guarantees } of found.wrongRefutations)
    lines.push(`  ${program}: ${guarantees.join("; ")}`);
  lines.push(
    "",
    found.wrongProofs.length === 0
      ? "unsound 0: no wrong proof"
      : "WRONG PROOFS, the header says it is broken:",
  );
  for (const { program, guarantees } of found.wrongProofs)
    lines.push(`  !!! ${program}: ${guarantees.join("; ")}`);
  return lines.join("\n");
}

/**
 * Every Nth program, from the Kth.
 *
 * @param {readonly Program[]} programs
 * @param {string} share `K/N`
 */
export function shareOf(programs, share) {
  const [k, n] = share.split("/").map(Number);
  if (k === undefined || n === undefined || !(n >= 1) || !Number.isInteger(k))
    throw new Error(`no share: ${share}`);
  return programs.filter((_, i) => i % n === k % n);
}

async function main() {
  const { values } = parseArgs({
    options: {
      share: { type: "string", default: "0/1" },
      domain: { type: "string" },
      header: { type: "string" },
      folder: { type: "string", default: CORPUS },
      seconds: { type: "string", default: "60" },
      compile: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const code = ensureInstalled() || ensureBuilt();
  if (code !== 0) return code;
  const all = programsIn(values.folder).filter(
    ({ domain, holds }) =>
      (values.domain === undefined || values.domain.split(",").includes(domain)) &&
      (values.header === undefined || values.header === (holds ? "holds" : "broken")),
  );
  const programs = shareOf(all, values.share);
  const measured = await measure(programs, {
    seconds: Number(values.seconds),
    compileOnly: values.compile,
    onEach: ({ program, outcome, ms }, i) => {
      const word = outcome.kind === "proved" ? outcome.verdict : outcome.kind;
      process.stderr.write(
        `${i}/${programs.length} ${program.domain}/${basename(program.file)}: ${word} (${ms} ms)\n`,
      );
    },
  });
  const found = summary(measured, values.folder);
  console.log(values.json ? JSON.stringify({ ...found, measured }, null, 1) : sayReport(found));
  return found.wrongProofs.length > 0 ? 1 : 0;
}

if (process.argv.includes("--worker")) await work();
else if (isMain(import.meta.url)) process.exitCode = await main();
