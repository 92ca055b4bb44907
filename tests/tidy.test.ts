/** Holds this repository to its house rules, and each rule to what it claims to catch. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRooms, isModule, readFiles, type SourceFile, type Violation } from "../scripts/rooms.mjs";
import { ROOT } from "../scripts/tools.mjs";
import * as prose from "./support/prose.ts";
import * as tidy from "./support/tidy.ts";

/** Programs of agents, which are data. */
const corpus = "spec/code-mode/";
const files = readFiles(
  (path) => !/\.(png|jpg|gif|ico|woff2?|wasm|db)$/.test(path) && !path.startsWith(corpus),
);

const rules: readonly (readonly [name: string, rule: tidy.Rule])[] = [
  ["file names are in kebab-case", tidy.kebabCase],
  ["casts and directives are justified", tidy.justifiedCasts],
  ["nothing is `any`", tidy.noAny],
  ["nothing is left unfinished", tidy.nothingUnfinished],
  ["no test is switched off", tidy.noTestSwitchedOff],
  ["no path of a machine is named", tidy.noMachinePath],
  ["no package registry is named", tidy.noRegistryHost],
  ["the lock file is complete on every platform", tidy.completeLock],
];

/** Command lines of others as data: they name paths, hosts and marks of unfinished work, and are never edited. */
function isCorpus(path: string): boolean {
  return path.startsWith("tests/shell/corpus/") && path.endsWith(".jsonl");
}

describe("the repository", () => {
  it("has files to check", () => {
    expect(files.filter(({ path }) => isModule(path)).length).toBeGreaterThan(10);
  });

  it("keeps to the directions between rooms", () => {
    expect(readable(checkRooms(files))).toEqual([]);
  });

  it.each(rules)("%s", (_, rule) => {
    expect(readable(files.filter(({ path }) => !isCorpus(path)).flatMap(rule))).toEqual([]);
  });
});

/** Each: the name of the rule in the table of allowances, and the rule. */
const proseRules: readonly (readonly [name: string, rule: tidy.Rule])[] = [
  ["openings of doc comments", prose.openingsOfComments],
  ["openings of headings", prose.openingsOfHeadings],
  ["openings of sentences", prose.openingsOfSentences],
  ["words of the glossary", prose.bannedWords],
  ["length of messages", prose.lengthOfMessages],
  ["announcements", prose.announcements],
];

/**
 * Violations that rooms still have, by rule; a room that is not listed has none. The numbers only fall:
 * `FORECLAIM_LOWER=1 npx vitest run tests/tidy.test.ts` writes the lower ones.
 */
const allowances = join(ROOT, "tests/support/prose-allowances.json");

describe("prose", () => {
  const allowed: Record<string, Record<string, number>> = JSON.parse(readFileSync(allowances, "utf8"));
  const found = new Map(proseRules.map(([name, rule]) => [name, prose.byRoom(files.flatMap(rule))] as const));

  it.each(proseRules)("%s", (name) => {
    const grown = [...(found.get(name) ?? [])].filter(
      ([room, violations]) => violations.length > (allowed[name]?.[room] ?? 0),
    );
    expect(grown.flatMap(([, violations]) => readable(violations))).toEqual([]);
  });

  it.runIf(process.env.FORECLAIM_LOWER === "1")("lowers the allowances", () => {
    const lower = Object.fromEntries(
      proseRules.map(([name]) => {
        const counts = [...(found.get(name) ?? [])]
          .map(([room, { length }]) => [room, Math.min(length, allowed[name]?.[room] ?? 0)] as const)
          .filter(([, count]) => count > 0)
          .sort(([a], [b]) => (a < b ? -1 : 1));
        return [name, Object.fromEntries(counts)];
      }),
    );
    writeFileSync(allowances, `${JSON.stringify(lower, undefined, 2)}\n`);
  });
});

/** Each: what is tried, the rule, the path, the text, and the line that must be objected to (0: none). */
const examples: readonly (readonly [string, tidy.Rule, path: string, text: string, line: number])[] = [
  ["a camelCase file", tidy.kebabCase, "src/ir/effectTerm.ts", "", 1],
  ["a capitalised folder", tidy.kebabCase, "src/Ir/term.ts", "", 1],
  ["an ordinary name", tidy.kebabCase, "src/ir/effect-term.process.test.ts", "", 0],
  ["a document's name", tidy.kebabCase, "README.md", "", 0],

  ["a bare cast", tidy.justifiedCasts, "src/ir/a.ts", "\nconst a = b as C;", 2],
  ["an angle-bracket cast", tidy.justifiedCasts, "src/ir/a.ts", "const a = <C>b;", 1],
  ["a directive", tidy.justifiedCasts, "src/ir/a.ts", "// @ts-expect-error\nf(1);", 1],
  ["a reason too far above", tidy.justifiedCasts, "src/ir/a.ts", "// SAFETY: ok\n\n\n\nf(a as C);", 5],
  ["a reason below", tidy.justifiedCasts, "src/ir/a.ts", "f(a as C);\n// SAFETY: ok", 1],
  ["a reason in a string", tidy.justifiedCasts, "src/ir/a.ts", 'f("SAFETY: no", a as C);', 1],
  ["a reason just above", tidy.justifiedCasts, "src/ir/a.ts", "// SAFETY: ok\n\n\nf(a as C);", 0],
  ["a reason on the line", tidy.justifiedCasts, "src/ir/a.ts", "f(a as C); // SAFETY: ok", 0],
  ["a const assertion", tidy.justifiedCasts, "src/ir/a.ts", "const a = [1] as const;", 0],
  ["a renaming import", tidy.justifiedCasts, "src/ir/a.ts", 'import { a as b } from "./b.ts";', 0],
  ["the word in a comment", tidy.justifiedCasts, "src/ir/a.ts", "// as good as it gets", 0],
  ["a cast in a test", tidy.justifiedCasts, "src/ir/a.test.ts", "f(a as C);", 0],

  ["any", tidy.noAny, "src/ir/a.ts", "let a: any;", 1],
  ["any in a test", tidy.noAny, "src/ir/a.test.ts", "let a: Map<string, any>;", 1],
  ["the word any", tidy.noAny, "src/ir/a.ts", 'const any = "any"; // any', 0],

  ["a note to oneself", tidy.nothingUnfinished, "docs/a.md", `\n${"TO"}DO: later`, 2],
  ["a longer word", tidy.nothingUnfinished, "src/ir/a.ts", "const TODOS = 1;", 0],

  ["a test alone", tidy.noTestSwitchedOff, "src/ir/a.test.ts", `it${".only"}("a", f)`, 1],
  ["a table switched off", tidy.noTestSwitchedOff, "src/ir/a.test.ts", `describe${".skip"}.each([])`, 1],
  ["a conditional test", tidy.noTestSwitchedOff, "src/ir/a.test.ts", 'it.skipIf(windows)("a", f)', 0],

  ["a home folder", tidy.noMachinePath, "docs/a.md", `see ${"/ho"}me/me/notes`, 1],
  ["a home folder in a string", tidy.noMachinePath, "a.json", `"${"/ro"}ot/x"`, 1],
  ["a home folder in an address", tidy.noMachinePath, "docs/a.md", `file://${"/ho"}me/me`, 1],
  ["a relative path", tidy.noMachinePath, "docs/a.md", "docs/home/index.md and ./root/x", 0],
  ["a web address", tidy.noMachinePath, "docs/a.md", "https://example.org/home/", 0],

  ["a locked address", tidy.noRegistryHost, "package-lock.json", `  "resolved": "${"http"}://a/b.tgz"`, 1],
  ["a registry", tidy.noRegistryHost, "docs/a.md", `from ${"registry"}.example.org`, 1],
  [
    "a platform left out",
    tidy.completeLock,
    "package-lock.json",
    lockOf({ "node_modules/a": { "a-mac": "1" } }),
    1,
  ],
  [
    "a platform locked",
    tidy.completeLock,
    "package-lock.json",
    lockOf({ "node_modules/a": { b: "1" }, "node_modules/b": {} }),
    0,
  ],
  ["a relative clause", prose.openingsOfComments, "src/ir/a.ts", "\n/** What it is. */\nconst a = 1;", 2],
  ["one on the next line", prose.openingsOfComments, "src/ir/a.test.ts", "/**\n * Whether it is.\n */", 1],
  ["a verb", prose.openingsOfComments, "src/ir/a.ts", "/** Returns what it is. */", 0],
  ["a longer word", prose.openingsOfComments, "src/ir/a.ts", "/** Offsets of lines. */", 0],
  ["a plain comment", prose.openingsOfComments, "src/ir/a.ts", "// What follows is long.", 0],
  ["a clause as a heading", prose.openingsOfHeadings, "docs/a.md", "# A\n\n## What a call is", 3],
  ["a heading in code", prose.openingsOfHeadings, "docs/a.md", "```sh\n# What it is\n```", 0],
  ["a clause as a subject", prose.openingsOfSentences, "docs/a.md", "A call. What it\ngives is kept.", 1],
  ["a clause in a cell", prose.openingsOfSentences, "docs/a.md", "| a | Whether it is |", 1],
  ["a question", prose.openingsOfSentences, "docs/a.md", "What is it?", 0],
  ["a word in a comment", prose.bannedWords, "src/ir/a.ts", "\n// Nobody knows the value.", 2],
  ["a wrapped phrase", prose.bannedWords, "src/ir/a.ts", "/**\n * It goes\n * on with it.\n */", 2],
  ["a word in a message", prose.bannedWords, "src/ir/a.ts", "f(`the call is taken back`);", 1],
  ["a word on a page", prose.bannedWords, "docs/a.md", "A call is taken\nback.", 1],
  ["British spelling", prose.bannedWords, "docs/a.md", "behaviours", 1],
  ["a word in code", prose.bannedWords, "docs/a.md", "`whoever`\n```ts\nwhoever\n```", 0],
  ["a word in a name", prose.bannedWords, "src/ir/a.ts", "const whoever = 1;", 0],
  ["a long sentence", prose.lengthOfMessages, "src/ir/a.ts", `f("${"one more word ".repeat(12)}");`, 1],
  ["two sentences", prose.lengthOfMessages, "src/ir/a.ts", `f("${"a b c d. ".repeat(12)}");`, 0],
  ["an announcement", prose.announcements, "docs/a.md", "Programs cannot be run\nyet.", 1],
  ["a contrast", prose.announcements, "docs/a.md", "It is small, yet complete.", 0],
  ["a registry setting", tidy.noRegistryHost, ".npmrc", "registry" + "=https://a", 1],
];

describe("the rules", () => {
  it.each(examples)("on %s", (_, rule, path, text, line) => {
    expect(rule({ path, text }).map((violation) => violation.line)).toEqual(line === 0 ? [] : [line]);
  });
});

const ALLOWED = "";

/** Each: an importing file, what it imports, and what must be said about it. */
const directions: readonly (readonly [path: string, code: string, message: string])[] = [
  ["src/ir/a.ts", 'import { b } from "./b.ts";', ALLOWED],
  ["src/ir/a.ts", 'import { b } from "../ir/b.ts";', ALLOWED],
  ["src/ir/a.ts", 'import { b } from "../prove/b.ts";', "`ir` may not import from `prove`"],
  ["src/ir/deep/a.ts", 'export * from "../../prove/b.ts";', "`ir` may not import from `prove`"],
  ["src/ir/a.ts", 'export { b } from "../kernel/b.ts";', "`ir` may not import from `kernel`"],
  ["src/ir/a.ts", 'import type { B } from "../kernel/b.ts";', "`ir` may not import from `kernel`"],
  ["src/ir/a.ts", 'type B = import("../kernel/b.ts").B;', "`ir` may not import from `kernel`"],
  ["src/ir/a.ts", 'type B = typeof import("../kernel/b.ts");', "`ir` may not import from `kernel`"],
  ["src/prove/a.ts", 'await import("../run/b.ts");', "`prove` may not import from `run`"],
  ["src/prove/a.ts", "await import(name);", "imports something that is only known when it runs"],
  ["src/prove/a.ts", 'import "../ir/index.ts"; import "zod"; import "node:fs";', ALLOWED],
  ["src/explain/a.ts", 'import "../prove/index.ts";', ALLOWED],
  [
    "src/explain/a.ts",
    'import "../prove/b.ts";',
    "imports `src/prove/b.ts`; the door of `prove` is src/prove/index.ts",
  ],
  ["src/explain/a.test.ts", 'import "../prove/b.ts";', ALLOWED],
  ["src/plan/a.ts", 'import "../explain/b.ts";', "`plan` may not import from `explain`"],
  ["src/ledger/a.ts", 'import "../sql/index.ts";', ALLOWED],
  ["src/ledger/a.ts", 'import "../kernel/index.ts";', "`ledger` may not import from `kernel`"],
  ["src/ledger/a.ts", 'import "../ir/b.ts";', "`ledger` may not import from `ir`"],
  ["src/run/a.ts", 'import "../prove/b.ts";', "`run` may not import from `prove`"],
  ["src/approve/a.ts", 'import "../run/b.ts";', "`approve` may not import from `run`"],
  ["src/web/a.ts", 'import "../approve/b.ts";', "`web` may not import from `approve`"],
  ["src/cli/a.ts", 'import "../run/index.ts"; import "../index.ts";', ALLOWED],
  ["src/index.ts", 'export * from "./ir/index.ts";', ALLOWED],
  ["src/index.ts", 'export * from "./cli/main.ts";', "`index` may not import from `cli`"],
  ["src/prove/a.ts", 'import "foreclaim/ir";', "`prove` may not import the package itself"],
  [
    "src/prove/a.ts",
    'import "../../tests/support/runs.ts";',
    "imports `tests/support/runs.ts`, which is outside src/",
  ],

  ["src/ir/a.ts", 'import "zod";', "`ir` is trusted and may not import the package `zod`"],
  ["src/ir/a.ts", 'import "node:crypto";', "`ir` is trusted and may not import Node's `node:crypto`"],
  ["src/ir/json/digest.ts", 'import "node:crypto";', ALLOWED],
  ["src/ir/json/digest.ts", 'import "node:fs";', "`ir` is trusted and may not import Node's `node:fs`"],
  ["src/kernel/a.ts", 'import "fs";', "`kernel` is trusted and may not import Node's `fs`"],

  ["src/ir/a.test.ts", 'import "vitest"; import "node:fs"; import "../../tests/support/runs.ts";', ALLOWED],
  ["src/ir/a.test.ts", 'import "../prove/b.ts";', "`ir` may not import from `prove`"],
  ["src/cellar/a.ts", "", "`cellar` is not a room; the rooms are in scripts/rooms.mjs"],
  ["src/stray.ts", "", "`stray.ts` is not a room; the rooms are in scripts/rooms.mjs"],
  ["src/kernel.ts", 'import "./ledger/index.ts"; import "./kernel/index.ts";', ALLOWED],
  ["src/kernel.ts", 'import "./cli/main.ts";', "`index` may not import from `cli`"],
  ["src/constructor/a.ts", "", "`constructor` is not a room; the rooms are in scripts/rooms.mjs"],
  ["src/prove/a.ts", 'import "/tmp/b.js";', "imports `/tmp/b.js` by address"],
  ["src/prove/a.ts", 'import "data:text/javascript,1";', "imports `data:text/javascript,1` by address"],
  ["src/ir/a.ts", '// import "../prove/b.ts";\nconst text = \'import "../prove/b.ts"\';', ALLOWED],
  ["bench/a.ts", 'import "../src/kernel/b.ts";', ALLOWED],
];

describe("the directions between rooms", () => {
  it.each(directions)("%s: %s", (path, text, message) => {
    const said = checkRooms([{ path, text } satisfies SourceFile]).map((violation) => violation.message);
    expect(said).toEqual(message === ALLOWED ? [] : [message]);
  });
});

function lockOf(optionalDependencies: Readonly<Record<string, object>>): string {
  const entries = Object.entries(optionalDependencies);
  return JSON.stringify({
    packages: Object.fromEntries(
      entries.map(([path, optional]) => [path, { optionalDependencies: optional }]),
    ),
  });
}

function readable(violations: readonly Violation[]): readonly string[] {
  return violations.map(({ path, line, message }) => `${path}:${line}: ${message}`);
}
