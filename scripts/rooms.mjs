// Who may import whom: the table, and the check that every import under src/ keeps to it.
// `node scripts/rooms.mjs` (part of `npm run lint`) reports each import that goes the wrong way.

import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { projectFiles } from "./files.mjs";
import { isMain, ROOT } from "./tools.mjs";

/** The room of src/index.ts and of the other entries of the package: its public face. */
export const PUBLIC = "index";
const ENTRIES = [
  "ai-sdk",
  "approve",
  "check",
  "claude",
  "guard",
  "index",
  "ir",
  "kernel",
  "langchain",
  "library",
  "mcp",
  "openai-agents",
  "plan",
  "run",
  "shell",
  "telemetry",
  "testing",
  "tools",
];

/**
 * Every folder of src/, and the rooms it may import besides itself.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const ROOMS = {
  ir: [],
  certificate: ["ir"],
  verified: ["ir"],
  frontend: ["ir"],
  link: ["ir", "frontend"],
  prove: ["ir", "certificate"],
  explain: ["ir", "prove"],
  coverage: ["ir", "prove", "explain"],
  compare: ["ir", "prove", "explain", "coverage"],
  lint: ["ir", "explain", "compare"],
  view: ["ir", "explain", "compare"],
  shell: [],
  toolkit: [],
  kernel: ["ir"],
  sql: [],
  ledger: ["sql"],
  approve: ["ir", "kernel", "sql"],
  run: ["ir", "toolkit", "kernel", "approve"],
  plan: ["ir", "prove", "kernel", "run"],
  app: [
    "ir",
    "certificate",
    "verified",
    "frontend",
    "link",
    "prove",
    "explain",
    "coverage",
    "compare",
    "lint",
    "plan",
    "kernel",
    "ledger",
    "run",
    "approve",
  ],
  guard: ["ir", "kernel", "ledger", "approve", "run", "app"],
  mcp: ["ir", "explain", "toolkit", "app", "guard"],
  adapters: ["ir", "run", "app"],
  lsp: ["ir", "explain", "app"],
  playground: ["prove", "app", "web"], // the prover in a browser, with views of the page
  web: [], // talks to approve over HTTP, and imports the types of what it says there
  stdlib: [PUBLIC],
  [PUBLIC]: [
    "ir",
    "shell",
    "toolkit",
    "certificate",
    "frontend",
    "plan",
    "kernel",
    "ledger",
    "run",
    "approve",
    "app",
    "guard",
    "mcp",
    "adapters",
  ],
  cli: [
    "ir",
    "shell",
    "certificate",
    "verified",
    "frontend",
    "link",
    "prove",
    "explain",
    "coverage",
    "compare",
    "lint",
    "view",
    "toolkit",
    "plan",
    "kernel",
    "ledger",
    "run",
    "approve",
    "app",
    "guard",
    "mcp",
    "adapters",
    "lsp",
    PUBLIC,
  ],
};

/**
 * Doors besides the `index.ts` of a room, each for a reason of its own.
 *
 * @type {readonly string[]}
 */
const SIDE_DOORS = [
  "src/frontend/surface/index.ts", // tool modules load it when they run: it is small
  "src/mcp/gateway/upstream.ts", // likewise
  "src/toolkit/connection.ts", // likewise
  "src/toolkit/extract.ts",
  "src/toolkit/person.ts",
  "src/adapters/ai-sdk.ts", // an adapter for each SDK; nobody needs two
  "src/adapters/claude.ts",
  "src/adapters/langchain.ts",
  "src/adapters/openai-agents.ts",
];

/**
 * Files that may pass by the doors.
 *
 * @type {readonly string[]}
 */
const PASS_BY_DOORS = [
  "src/app/unbundled-imports.ts", // imports a module when it is needed, from where it lies
  "src/frontend/surface/index.ts", // what tool modules load stays small
  "src/playground/prover/solver-engine.ts", // stand in for files of other rooms, in a browser
  "src/playground/prover/solver-imports.ts",
  "src/playground/prover/solver-worker.ts",
];

/** Rooms that a user must trust: nothing from npm, and nothing of Node's but what is listed below. */
export const TRUSTED_ROOMS = ["ir", "kernel", "certificate"];

/**
 * Files of trusted rooms that may use a module of Node's, and which.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const TRUSTED_BUILTINS = {
  "src/ir/json/digest.ts": ["node:crypto"],
  "src/kernel/digest.ts": ["node:crypto"],
  "src/kernel/isolated.ts": ["node:worker_threads"],
  "src/kernel/module-source.ts": ["node:fs"],
  "src/kernel/signature.ts": ["node:crypto"],
  "src/kernel/tables.ts": ["node:process"],
  "src/kernel/trace/checkpoint.ts": ["node:crypto"],
};

/** Files that the page may import: the types of HTTP bodies, in which nothing runs, and the escaper, which imports nothing. */
export const FOR_THE_PAGE = ["src/approve/wire.ts", "src/explain/visible.ts"];

/**
 * Files that may import what is only known when they run, each because that is its purpose.
 *
 * @type {readonly string[]}
 */
export const COMPUTED_IMPORTS = [
  "src/run/load-tools.ts",
  "src/run/module-hooks.ts", // the surface, as tool modules get it
];

/**
 * @typedef {{ readonly path: string, readonly text: string }} SourceFile path from the root, with `/`
 * @typedef {{ readonly path: string, readonly line: number, readonly message: string }} Violation
 * @typedef {{ readonly specifier: string | undefined, readonly offset: number }} Import no specifier if computed
 */

/**
 * Every breach of the table in these files; those outside src/ may import what they like.
 *
 * @param {readonly SourceFile[]} files
 * @returns {Violation[]}
 */
export function checkRooms(files) {
  return files.filter(({ path }) => isModule(path) && path.startsWith("src/")).flatMap(checkFile);
}

/**
 * @param {SourceFile} file
 * @returns {Violation[]}
 */
function checkFile({ path, text }) {
  const room = roomOf(path);
  if (!Object.hasOwn(ROOMS, room)) {
    return [{ path, line: 1, message: `\`${room}\` is not a room; the rooms are in scripts/rooms.mjs` }];
  }
  return importsOf({ path, text }).flatMap(({ specifier, offset }) => {
    const message = objection(path, room, specifier);
    return message === undefined ? [] : [{ path, line: lineAt(text, offset), message }];
  });
}

/**
 * Why a file may not import this, or undefined if it may.
 *
 * @param {string} path
 * @param {string} room
 * @param {string | undefined} specifier
 * @returns {string | undefined}
 */
function objection(path, room, specifier) {
  if (specifier === undefined) {
    return COMPUTED_IMPORTS.includes(path) ? undefined : "imports something that is only known when it runs";
  }
  if (specifier.startsWith(".")) return objectionToFile(path, room, specifier);
  if (specifier === "foreclaim" || specifier.startsWith("foreclaim/")) {
    return mayImport(room, PUBLIC) ? undefined : `\`${room}\` may not import the package itself`;
  }
  if (/^[/#]/.test(specifier) || /^(?!node:)\w+:/.test(specifier))
    return `imports \`${specifier}\` by address`;
  // Tests prove nothing to a user, so they may lean on a test runner, generators and the file system.
  if (isTest(path) || !TRUSTED_ROOMS.includes(room)) return undefined;
  if (TRUSTED_BUILTINS[path]?.includes(specifier)) return undefined;
  const what = isBuiltin(specifier) ? "Node's" : "the package";
  return `\`${room}\` is trusted and may not import ${what} \`${specifier}\``;
}

/**
 * @param {string} path
 * @param {string} room
 * @param {string} specifier
 * @returns {string | undefined}
 */
function objectionToFile(path, room, specifier) {
  const target = posix.join(posix.dirname(path), specifier);
  if (isTest(path) && target.startsWith("tests/")) return undefined;
  if (!target.startsWith("src/")) return `imports \`${target}\`, which is outside src/`;
  if ((room === "web" || room === "playground") && FOR_THE_PAGE.includes(target)) return undefined;
  const targetRoom = roomOf(target);
  if (!mayImport(room, targetRoom)) return `\`${room}\` may not import from \`${targetRoom}\``;
  const passes =
    room === targetRoom || isDoor(target, targetRoom) || PASS_BY_DOORS.includes(path) || isTest(path);
  return passes
    ? undefined
    : `imports \`${target}\`; the door of \`${targetRoom}\` is src/${targetRoom}/index.ts`;
}

/**
 * @param {string} target
 * @param {string} room the target's
 */
function isDoor(target, room) {
  return room === PUBLIC || target === `src/${room}/index.ts` || SIDE_DOORS.includes(target);
}

/**
 * @param {string} room
 * @param {string} target
 */
function mayImport(room, target) {
  return room === target || ROOMS[room]?.includes(target) === true;
}

/**
 * The folder below src/; of the files of src/ itself, only the entries of the package and their tests have a room.
 *
 * @param {string} path below src/
 */
function roomOf(path) {
  const [, name = "", ...rest] = path.split("/");
  const isEntry = rest.length === 0 && ENTRIES.includes(name.replace(/(\.test)?\.ts$/, ""));
  return isEntry && name.endsWith(".ts") ? PUBLIC : name;
}

/**
 * Every module a file names: import, export … from, import(…), and import types.
 *
 * @param {SourceFile} file
 * @returns {Import[]}
 */
export function importsOf({ path, text }) {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  /** @type {Import[]} */
  const found = [];
  /** @param {{ start: number, source: { type: string, value?: unknown } | null }} node */
  const note = ({ start, source }) => {
    if (source === null) return; // an export of the file's own
    found.push({ specifier: typeof source.value === "string" ? source.value : undefined, offset: start });
  };
  new Visitor({
    ImportDeclaration: note,
    ExportAllDeclaration: note,
    ExportNamedDeclaration: note,
    ImportExpression: note,
    TSImportType: note,
  }).visit(program);
  return found;
}

/** @param {string} path */
export function isModule(path) {
  return /\.(ts|tsx|mts|js|mjs)$/.test(path);
}

/** @param {string} path */
export function isTest(path) {
  return /\.(test|soak)\.tsx?$/.test(path) || path.startsWith("tests/");
}

/**
 * @param {string} text
 * @param {number} offset
 */
export function lineAt(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

/**
 * The project's files whose path passes the filter, with their text.
 *
 * @param {(path: string) => boolean} wanted
 * @returns {SourceFile[]}
 */
export function readFiles(wanted) {
  return projectFiles()
    .filter(wanted)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
}

if (isMain(import.meta.url)) {
  const violations = checkRooms(readFiles((path) => path.startsWith("src/")));
  for (const { path, line, message } of violations) console.error(`${path}:${line}: ${message}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
