/** The hash of the tool modules covers all that a run would load of them, and nothing of where they lie. */
import { describe, expect, it } from "vitest";
import {
  compileProgram,
  compileTools,
  defaultFrontLimits,
  type FrontCode,
} from "../../src/frontend/index.ts";

type Files = Readonly<Record<string, string>>;

const program = `import { program } from "foreclaim";
import * as mail from "./tools/mail";
export default program({ guarantees: [mail.nothing()], async run() { await mail.send({ text: "a" }); } });
`;

/** A tool module with this above it and this in the body of `run`. */
const mail = (top: string, body = "") => `import { contract, tool } from "foreclaim";
${top}
export const send = tool({ run: async ({ text }: { text: string }): Promise<void> => { ${body} } });
export const nothing = contract(() => true);
`;

const compiled = (files: Files, entry = "program.ts") =>
  compileProgram(entry, { readFile: (path) => files[path] });

function hashOf(files: Files, entry?: string): string {
  const result = compiled(files, entry);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.value.document.modules).toBe(result.value.modules);
  return result.value.modules;
}

/** Each: how a file is imported, and the files behind it; a change of each must be seen. */
const imported: readonly (readonly [string, Files])[] = [
  [
    "a helper that only `run` uses",
    {
      "tools/mail.ts": mail('import { a } from "../lib/a.js";', "a();"),
      "lib/a.js": "export const a = () => 1;",
    },
  ],
  [
    "a helper below the tools folder",
    {
      "tools/mail.ts": mail('import { a } from "./a.ts";', "a();"),
      "tools/a.ts": "export const a = () => 1;",
    },
  ],
  ["an import for its effect", { "tools/mail.ts": mail('import "../lib/a.mjs";'), "lib/a.mjs": "1;" }],
  [
    "an import without extension",
    {
      "tools/mail.ts": mail('import { a } from "../lib/a";', "a();"),
      "lib/a.ts": "export const a = () => 1;",
    },
  ],
  [
    "a folder",
    {
      "tools/mail.ts": mail('import { a } from "../lib";', "a();"),
      "lib/index.ts": "export const a = () => 1;",
    },
  ],
  [
    "a folder with a main file",
    {
      "tools/mail.ts": mail('import { a } from "../lib";', "a();"),
      "lib/package.json": '{"main":"./src/m"}',
      "lib/src/m.cjs": "exports.a = () => 1;",
    },
  ],
  [
    "a JavaScript name of a TypeScript file",
    {
      "tools/mail.ts": mail('import { a } from "../lib/a.js";', "a();"),
      "lib/a.ts": "export const a = () => 1;",
    },
  ],
  [
    "both files that a name may mean",
    {
      "tools/mail.ts": mail('import { a } from "../lib/a.js";', "a();"),
      "lib/a.ts": "export const a = () => 1;",
      "lib/a.js": "export const a = () => 2;",
    },
  ],
  [
    "a dynamic import in the body of `run`",
    { "tools/mail.ts": mail("", 'await import("../lib/a.js");'), "lib/a.js": "1;" },
  ],
  [
    "a dynamic import in a template",
    { "tools/mail.ts": mail("", "await import(`../lib/a.js`);"), "lib/a.js": "1;" },
  ],
  [
    "require",
    {
      "tools/mail.ts": mail(
        'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
        'require("../lib/a.cjs");',
      ),
      "lib/a.cjs": "1;",
    },
  ],
  [
    "JSON",
    {
      "tools/mail.ts": mail('import list from "../lib/a.json" with { type: "json" };', "list;"),
      "lib/a.json": "[1]",
    },
  ],
  [
    "export … from",
    { "tools/mail.ts": mail('export { a } from "../lib/a.js";'), "lib/a.js": "export const a = 1;" },
  ],
  [
    "export * from",
    { "tools/mail.ts": mail('export * from "../lib/a.js";'), "lib/a.js": "export const a = 1;" },
  ],
  [
    "what an import imports",
    {
      "tools/mail.ts": mail('import { a } from "../lib/a.js";', "a();"),
      "lib/a.js": 'import { b } from "./deep/b.mjs"; export const a = () => b;',
      "lib/deep/b.mjs": 'export { c as b } from "../c.cjs";',
      "lib/c.cjs": 'exports.c = require("./d.json");',
      "lib/d.json": "1",
    },
  ],
  [
    "files that import one another",
    {
      "tools/mail.ts": mail('import "../lib/a.js";'),
      "lib/a.js": 'import "./b.js"; 1;',
      "lib/b.js": 'import "./a.js"; 2;',
    },
  ],
  [
    "types",
    { "tools/mail.ts": mail('import type { A } from "../lib/a.ts";'), "lib/a.ts": "export type A = 1;" },
  ],
  [
    "declarations of types",
    { "tools/mail.ts": mail('import type { A } from "../lib/a";'), "lib/a.d.ts": "export type A = 1;" },
  ],
  [
    "JSX and TSX",
    {
      "tools/mail.ts": mail('import "../lib/a.jsx"; import "../lib/b.tsx";'),
      "lib/a.jsx": "export const a = <b />;",
      "lib/b.tsx": "export const b = (x: number) => <i>{x}</i>;",
    },
  ],
  ["a query after the name", { "tools/mail.ts": mail('import "../lib/a.js?x";'), "lib/a.js": "1;" }],
];

describe("the hash of the tool modules", () => {
  it.each(imported)("covers %s", (_, more) => {
    const files = { "program.ts": program, ...more };
    const before = hashOf(files);
    for (const [path, text] of Object.entries(more)) {
      const changed = hashOf({ ...files, [path]: path.endsWith(".json") ? ` ${text}` : `${text} ` });
      expect(changed, path).not.toBe(before);
    }
  });

  it("covers the name of a file", () => {
    const of = (name: string) =>
      hashOf({ "program.ts": program, "tools/mail.ts": mail('import "../lib/a";'), [name]: "1;" });
    expect(of("lib/a.js")).not.toBe(of("lib/a.mjs"));
  });

  it("covers packages by their name only", () => {
    const of = (top: string) =>
      hashOf({ "program.ts": program, "tools/mail.ts": mail(top), "node_modules/x/index.js": "1;" });
    expect(of('import "x";')).not.toBe(of('import "@y/z/deep.js";'));
    expect(of('import fs from "node:fs"; import path from "path";')).toMatch(/^fcm1-[0-9a-f]{64}$/);
  });

  it("does not depend on the program, or on where the folders lie", () => {
    const files = { "tools/mail.ts": mail('import "../lib/a.js";'), "lib/a.js": "1;" };
    const here = hashOf({ "program.ts": program, ...files });
    const moved = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`/else/where/${path}`, text]),
    );
    expect(
      hashOf({ "/else/where/program.ts": `${program}// more\n`, ...moved }, "/else/where/program.ts"),
    ).toBe(here);
  });

  it("is the same when only the modules are compiled", () => {
    const files: Files = {
      "program.ts": program,
      "tools/mail.ts": mail('import "../lib/a.js";'),
      "lib/a.js": "1;",
    };
    const tools = compileTools(["tools/mail.ts"], { readFile: (path) => files[path] });
    expect(tools.ok && tools.value.modules).toBe(hashOf(files));
    expect(tools.ok && [...tools.value.sources.keys()].sort()).toEqual(["lib/a.js", "tools/mail.ts"]);
  });

  it("tells texts apart that differ in half a character", () => {
    const of = (text: string) => hashOf({ "program.ts": program, "tools/mail.ts": mail(`// ${text}`) });
    expect(of("\ud800")).not.toBe(of("\ud801"));
    expect(of("\ud800")).not.toBe(of("\ufffd"));
  });
});

/** Each: what is wrong, the files, the code, and where. */
const wrong: readonly (readonly [string, Files, FrontCode, file: string, place: string])[] = [
  [
    "a file that is not there",
    { "tools/mail.ts": mail('import "../lib/a.js";') },
    "FC2002",
    "tools/mail.ts",
    '"../lib/a.js"',
  ],
  [
    "a file that an import cannot find",
    { "tools/mail.ts": mail('import "../lib/a.js";'), "lib/a.js": 'import "./b.js";' },
    "FC2002",
    "lib/a.js",
    '"./b.js"',
  ],
  [
    "a file that is no source",
    { "tools/mail.ts": mail('import "../lib/a.node";'), "lib/a.node": "" },
    "FC2002",
    "tools/mail.ts",
    '"../lib/a.node"',
  ],
  [
    "a dynamic import that is not there",
    { "tools/mail.ts": mail("", 'await import("./gone.js");') },
    "FC2002",
    "tools/mail.ts",
    '"./gone.js"',
  ],
  [
    "an import that is computed",
    { "tools/mail.ts": mail("", "await import(text);") },
    "FC2003",
    "tools/mail.ts",
    "text",
  ],
  [
    "an import that is computed further away",
    { "tools/mail.ts": mail('import "../lib/a.cjs";'), "lib/a.cjs": "require(process.argv[2]);" },
    "FC2003",
    "lib/a.cjs",
    "process.argv[2]",
  ],
  [
    "a file by its full path",
    { "tools/mail.ts": mail('import "/lib/a.js";'), "/lib/a.js": "" },
    "FC2003",
    "tools/mail.ts",
    '"/lib/a.js"',
  ],
  [
    "a file by its address",
    { "tools/mail.ts": mail('import "file:///lib/a.js";') },
    "FC2003",
    "tools/mail.ts",
    '"file:///lib/a.js"',
  ],
  [
    "a name that a package gives itself",
    { "tools/mail.ts": mail('import "#lib";') },
    "FC2003",
    "tools/mail.ts",
    '"#lib"',
  ],
  [
    "a file that cannot be parsed",
    { "tools/mail.ts": mail('import "../lib/a.js";'), "lib/a.js": "const = ;" },
    "FC2001",
    "lib/a.js",
    "=",
  ],
];

describe("what tool modules import", () => {
  it.each(wrong)("cannot be %s", (_, more, code, file, place) => {
    const result = compiled({ "program.ts": program, ...more });
    const found = result.ok
      ? []
      : result.problems.map((one) => [
          one.code,
          one.file,
          (result.sources.get(one.file) ?? "").slice(one.span.start, one.span.end),
        ]);
    expect(found).toContainEqual([code, file, place]);
  });

  it("is bounded", () => {
    const lib = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`lib/a${i}.js`, `import "./a${i + 1}.js";`]),
    );
    const result = compiled({
      "program.ts": program,
      "tools/mail.ts": mail('import "../lib/a0.js";'),
      ...lib,
    });
    expect(result.ok ? [] : result.problems.map((one) => one.code)).toEqual(["FC2504"]);
    const long = "1;".repeat(defaultFrontLimits.fileLength);
    const other = compiled({
      "program.ts": program,
      "tools/mail.ts": mail('import "../lib/a.js";'),
      "lib/a.js": long,
    });
    expect(other.ok ? [] : other.problems.map((one) => one.code)).toEqual(["FC2503"]);
  });
});
