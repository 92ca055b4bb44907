// Proves the programs of a pull request at its base and at its head, writes SARIF, and comments the sentences that
// changed. Nothing of the pull request is run: `foreclaim prove` compiles programs and tool modules and calls none of them.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blockOf, changesOf, commentOf } from "./changes.mjs";
import { sendComment } from "./comment.mjs";
import { sarifOf } from "./sarif.mjs";

/** @typedef {import("./changes.mjs").Proof} Proof */

const env = process.env;
/** @type {Readonly<Record<string, readonly string[]>>} */
const failing = { refuted: ["refuted", "invalid"], unknown: ["refuted", "invalid", "unknown"], never: [] };
/** So many programs are proved by one process. */
const BATCH = 50;
const MAX_PROGRAMS = 2_000;

process.exitCode = await main().catch((error) => {
  console.log(`::error::${String(error instanceof Error ? error.message : error).replaceAll("\n", " ")}`);
  return 2;
});

async function main() {
  const patterns = (env.INPUT_PROGRAMS ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (patterns.length === 0) throw new Error("the input `programs` names no files");
  const failOn = env.INPUT_FAIL_ON || "refuted";
  const stopping = failing[failOn];
  if (stopping === undefined)
    throw new Error(`the input \`fail-on\` is refuted, unknown or never, and not \`${failOn}\``);
  const root = git(["rev-parse", "--show-toplevel"]).trim();
  const head = proveAll(root, patterns);
  const base = env.INPUT_BASE ? atCommit(root, env.INPUT_BASE, (folder) => proveAll(folder, patterns)) : [];
  const changes = changesOf(base, head);
  for (const change of changes) console.log(`${blockOf(change)}\n`);
  if (env.INPUT_SARIF)
    writeFileSync(env.INPUT_SARIF, `${JSON.stringify(sarifOf(head, versionOf()), null, 2)}\n`);
  const comment = commentOf(changes, head.length);
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, comment);
  if (env.INPUT_COMMENT === "true") await sendComment(comment, env);
  const stopped = head.filter(({ verdict }) => stopping.includes(verdict));
  for (const { file, verdict } of stopped) console.log(`::error file=${property(file)}::${verdict}`);
  console.log(`${head.length} programs, ${head.filter(({ verdict }) => verdict === "proved").length} proved`);
  return stopped.length === 0 ? 0 : 1;
}

/**
 * Files that git knows, so that nothing ignored or generated is proved.
 *
 * @param {string} folder
 * @param {readonly string[]} patterns
 * @returns {readonly Proof[]}
 */
function proveAll(folder, patterns) {
  const globs = patterns.map((pattern) => (pattern.startsWith(":") ? pattern : `:(glob)${pattern}`));
  const files = git(["ls-files", "-z", "--", ...globs], folder)
    .split("\0")
    .filter(Boolean);
  if (files.length > MAX_PROGRAMS)
    throw new Error(`${files.length} programs are more than ${MAX_PROGRAMS}; name fewer`);
  const proofs = [];
  for (let at = 0; at < files.length; at += BATCH) proofs.push(...prove(folder, files.slice(at, at + BATCH)));
  return proofs;
}

/**
 * @param {string} folder
 * @param {readonly string[]} files
 * @returns {readonly Proof[]}
 */
function prove(folder, files) {
  const args = [commandPath(), "prove", "--json", "--show", "facts", "--", ...files];
  const { stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (error) throw error;
  const lines = stdout.split("\n").filter(Boolean);
  // A file without a proof must not look like a program without a problem.
  if (lines.length !== files.length)
    throw new Error(`${files.length} programs gave ${lines.length} proofs: ${stderr}`);
  return lines.map((line) => JSON.parse(line));
}

/**
 * @template T
 * @param {string} root
 * @param {string} commit
 * @param {(folder: string) => T} use
 * @returns {T}
 */
function atCommit(root, commit, use) {
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw new Error("the input `base` is not the hash of a commit");
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-base-"));
  const tree = join(folder, "tree");
  try {
    // A shallow checkout lacks the base.
    if (!hasCommit(root, commit)) git(["fetch", "--quiet", "--depth=1", "origin", commit], root);
    git(["worktree", "add", "--detach", "--quiet", tree, commit], root);
    return use(tree);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git(["worktree", "prune"], root);
  }
}

/**
 * @param {string} root
 * @param {string} commit
 */
function hasCommit(root, commit) {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root }).status === 0;
}

/**
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function git(args, cwd = process.cwd()) {
  const { status, stdout, stderr, error } = spawnSync("git", args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}

/** The command of this package, installed or built. */
function commandPath() {
  const path = env.FORECLAIM_COMMAND || join(import.meta.dirname, "../../dist/cli/main.js");
  if (!existsSync(path)) throw new Error(`there is no foreclaim at ${path}`);
  return path;
}

function versionOf() {
  return JSON.parse(readFileSync(join(commandPath(), "../../../package.json"), "utf8")).version;
}

/**
 * Workflow commands end at a line break, and their properties at a colon or a comma.
 *
 * @param {string} text
 */
function property(text) {
  return text.replace(
    /[%\r\n:,]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
