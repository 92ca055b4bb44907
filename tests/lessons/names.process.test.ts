/** Programs, tools and contracts are recognized by place and scope, never by spelling; and nothing runs unseen. */
import { describe } from "vitest";
import { lesson, programOf, world } from "./workbench.ts";

const evil = 'await t.send({ to: "evil", body: "" });';
const head = 'import { program } from "foreclaim";\nimport * as t from "./tools/t";\n';

describe("the program", () => {
  lesson("what stands at the top level is looked at, also if nobody uses it", [
    ["a statement", { top: evil }, "FC2007"],
    ["a constant", { top: 'const x = t.send({ to: "evil", body: "" });' }, "FC2209"],
    [
      "a function that is called at once",
      { top: 'const x = (() => { t.send({ to: "evil", body: "" }); return 1; })();' },
      "FC2209",
    ],
    ["a constant from outside", { top: "const x = process.exit();" }, "FC2316"],
    [
      "a constant that throws",
      { top: 'const f = () => { throw new Error("x"); }; const x = f();' },
      "FC2204",
    ],
    ["a variable", { top: "let x = 1;" }, "FC2007"],
    ["a block", { top: `{ ${evil} }` }, "FC2007"],
    [
      "a description",
      {
        program: `${head}export default program({ description: t.send({ to: "evil", body: "" }), guarantees: [t.silent()], async run() {} });`,
      },
      "FC2204",
    ],
    [
      "a second argument",
      {
        program: `${head}export default program({ guarantees: [t.silent()], async run() {} }, t.send({ to: "evil", body: "" }));`,
      },
      "FC2201",
    ],
    ["a module for its effect", { top: 'import "./evil";', files: { "evil.ts": "" } }, "FC2003"],
    ["a package for its effect", { top: 'import "node:fs";' }, "FC2003"],
    [
      "a constant that is one",
      { top: 'const x = "a"; const f = (y: string) => x + y; const z = f("b");' },
      "proved",
    ],
  ]);

  lesson("there is one program", [
    [
      "two default exports",
      {
        program: `${programOf({})}\nexport default program({ guarantees: [t.silent()], async run() { ${evil} } });`,
      },
      "FC2005",
    ],
    [
      "another under the name default",
      { program: `${programOf({})}\nconst q = 1; export { q as default };` },
      "FC2006",
    ],
    [
      "another constant",
      {
        program: `${head}const p = program({ guarantees: [t.silent()], async run() {} });\nconst q = program({ guarantees: [t.silent()], async run() { ${evil} } });\nexport default p;`,
      },
      "FC2202",
    ],
    [
      "a variable",
      { program: `${head}let p = program({ guarantees: [t.silent()], async run() {} });\nexport default p;` },
      "FC2005",
    ],
    [
      "a choice",
      { program: `${head}export default true ? program({ guarantees: [t.silent()], async run() {} }) : 1;` },
      "FC2005",
    ],
    [
      "two runs",
      {
        program: `${head}export default program({ guarantees: [t.silent()], async run() {}, async run() { ${evil} } });`,
      },
      "FC2404",
    ],
    [
      "two helpers of one name",
      { top: `async function f() {} async function f() { ${evil} }`, body: "await f();" },
      "FC2404",
    ],
    [
      "two constants of one name",
      { top: 'const W = "a"; const W = "evil";', guarantees: "t.only(W)", body: evil },
      "FC2404",
    ],
    [
      "two names of one import",
      { top: `const t = { send: async (x: unknown) => {} };`, body: evil },
      "FC2404",
    ],
    [
      "two variables of one name",
      {
        body: 'const to = "a"; const to = "evil"; await t.send({ to, body: "" });',
        guarantees: 't.only("evil")',
      },
      "FC2404",
    ],
    [
      "two parameters of one name",
      {
        top: "const f = (x: string, x: string) => x;",
        body: 'await t.send({ to: f("evil", "a"), body: "" });',
        guarantees: 't.only("a")',
      },
      "FC2404",
    ],
    [
      "one in each scope",
      {
        body: 'const to = "a"; { const to = "b"; await t.send({ to, body: "" }); }',
        guarantees: 't.only("b")',
      },
      "proved",
    ],
  ]);
});

describe("guarantees", () => {
  lesson("only a contract of a tool module is one", [
    [
      "a local function of that name",
      { top: "const only = (to: string) => true;", guarantees: 'only("a")', body: evil },
      "FC2211",
    ],
    [
      "a local object of that name",
      { top: "const m = { only: (to: string) => true };", guarantees: 'm.only("a")', body: evil },
      "FC2211",
    ],
    [
      "a helper of a tool module",
      { tools: "export const fine = (x: string) => true;", guarantees: 't.fine("a")', body: evil },
      "FC2211",
    ],
    ["true", { guarantees: "true as never", body: evil }, "FC2211"],
    ["a negation", { guarantees: '!t.only("a") as never', body: evil }, "FC2211"],
    ["one or true", { guarantees: '(t.only("a") || true) as never', body: evil }, "FC2211"],
    ["the contract itself", { guarantees: "t.silent as never", body: evil }, "FC2211"],
    [
      "a contract of its own",
      {
        top: 'import { contract } from "foreclaim"; const mine = contract(() => true);',
        guarantees: "mine()",
        body: evil,
      },
      "FC2009",
    ],
    [
      "a contract of its own under another name",
      {
        top: 'import { contract as c } from "foreclaim"; const make = c; const mine = make(() => true);',
        guarantees: "mine()",
        body: evil,
      },
      "FC2201",
    ],
    ["a spread", { guarantees: "...[t.silent()]", body: evil }, "FC2211"],
    [
      "a computed list",
      {
        program: `${head}const list = [t.silent()];\nexport default program({ guarantees: list, async run() { ${evil} } });`,
      },
      "FC2208 FC2212",
    ],
    [
      "a getter",
      {
        program: `${head}export default program({ get guarantees() { return [t.silent()]; }, async run() { ${evil} } });`,
      },
      "FC2320 FC2201",
    ],
    [
      "given twice",
      {
        program: `${head}export default program({ guarantees: [t.silent()], guarantees: [t.atMost(9)], async run() { ${evil} } });`,
      },
      "FC2404",
    ],
    ["none", { guarantees: "", body: evil }, "FC2212"],
    ["an alias of one", { top: "const just = t.only;", guarantees: 'just("evil")', body: evil }, "proved"],
    [
      "an alias of one that does not hold",
      { top: "const just = t.only;", guarantees: 'just("a")', body: evil },
      "refuted",
    ],
    [
      "one by import",
      { top: 'import { only as just } from "./tools/t";', guarantees: 'just("a")', body: evil },
      "refuted",
    ],
  ]);

  lesson("arguments are those of the module, before anything happens", [
    [
      "not those of run",
      {
        top: 'const WHO = "a";',
        guarantees: "t.only(WHO)",
        body: `const WHO = "evil"; await t.send({ to: WHO, body: "" });`,
      },
      "refuted",
    ],
    [
      "not inputs",
      {
        guarantees: "t.only(input.to)",
        input: "{ to: string }",
        body: 'await t.send({ to: input.to, body: "" });',
      },
      "FC2401",
    ],
    ["not the trace", { guarantees: "t.atMost(t.send.count())", body: evil }, "FC2204"],
    [
      "not a list that changes",
      { top: 'const LIST = ["a"];', guarantees: "t.oneOf(LIST)", body: `LIST.push("evil"); ${evil}` },
      "FC2312",
    ],
    ["not a call of a tool", { guarantees: "t.only(await t.word())", body: evil }, "FC2209"],
    [
      "one of, and not a part of one",
      { guarantees: 't.oneOf(["evil-twin", "devil"])', body: evil },
      "refuted",
    ],
    ["a text where a list is wanted", { guarantees: 't.oneOf("evil-twin" as never)', body: evil }, "FC2105"],
    ["a list where a text is wanted", { guarantees: 't.only(["evil"] as never)', body: evil }, "FC2105"],
    ["one of", { guarantees: 't.oneOf(["a", "evil"])', body: evil }, "proved"],
  ]);
});

describe("tools and modules", () => {
  const twin = world.replace("to.length > 0", "true");

  lesson("a tool is what was declared, under any name", [
    ["an alias", { body: 'const f = t.send; await f({ to: "evil", body: "" });' }, "refuted"],
    ["an alias of the module", { body: 'const m = t; await m.send({ to: "evil", body: "" });' }, "refuted"],
    [
      "by import",
      {
        top: 'import { send as whisper } from "./tools/t";',
        body: 'await whisper({ to: "evil", body: "" });',
      },
      "refuted",
    ],
    ["by a string", { body: 'await t["send"]({ to: "evil", body: "" });' }, "refuted"],
    ["in an object", { body: 'const o = { go: t.send }; await o.go({ to: "evil", body: "" });' }, "refuted"],
    ["in a list", { body: 'for (const f of [t.send]) await f({ to: "evil", body: "" });' }, "refuted"],
    [
      "handed to a helper",
      {
        top: 'const f = async (go: typeof t.send) => { await go({ to: "evil", body: "" }); };',
        body: "await f(t.send);",
      },
      "refuted",
    ],
    [
      "re-exported",
      {
        top: 'import { whisper } from "./tools/again";',
        body: 'await whisper({ to: "evil", body: "" });',
        files: { "tools/again.ts": 'export { send as whisper } from "./t";' },
      },
      "refuted",
    ],
    [
      "re-exported with a star",
      {
        top: 'import * as again from "./tools/again";',
        body: 'await again.send({ to: "evil", body: "" });',
        files: { "tools/again.ts": 'export * from "./t";' },
      },
      "refuted",
    ],
    ["rebound", { body: `t.send = async () => {}; ${evil}` }, "FC2312"],
    [
      "a decorated one",
      {
        top: `const logged = (f: typeof t.send) => async (x: { to: string; body: string }) => { await f({ ...x, to: "evil" }); };`,
        body: 'await logged(t.send)({ to: "a", body: "" });',
        guarantees: 't.only("a")',
      },
      "refuted",
    ],
    [
      "a local function of that name",
      { body: 'const send = async (x: { to: string }) => {}; await send({ to: "evil" });' },
      "proved",
    ],
    ["a look-alike", { body: 'await t.sеnd({ to: "evil", body: "" });' }, "FC2004"],
    ["a name of every object", { body: "await t.constructor({});" }, "FC2004"],
  ]);

  lesson("equal names in two modules are two tools", [
    [
      "a promise about the one says nothing of the other",
      {
        top: 'import * as u from "./tools/u";',
        body: 'await u.send({ to: "evil", body: "" });',
        guarantees: "t.silent()",
        files: { "tools/u.ts": twin },
      },
      "proved",
    ],
    [
      "and each has its own",
      {
        top: 'import * as u from "./tools/u";',
        body: 'await u.send({ to: "evil", body: "" });',
        guarantees: "u.silent()",
        files: { "tools/u.ts": twin },
      },
      "refuted",
    ],
    [
      "two files of one name",
      { top: 'import * as u from "./tools/t.mts";', files: { "tools/t.mts": twin } },
      "FC2008",
    ],
    [
      "a file and a folder of one name",
      { top: 'import * as u from "./tools/t/index.ts";', files: { "tools/t/index.ts": twin } },
      "FC2008",
    ],
    [
      "a dot and a folder",
      {
        top: 'import * as u from "./tools/a.b"; import * as v from "./tools/a/b";',
        files: { "tools/a.b.ts": twin, "tools/a/b.ts": twin },
      },
      "FC2008",
    ],
    [
      "one file by two paths",
      { top: 'import * as u from "./tools/../tools/t.ts";', body: 'await u.send({ to: "evil", body: "" });' },
      "refuted",
    ],
  ]);

  lesson("a label is all tools that carry it, with the fields that all have", [
    [
      "the other tool",
      {
        tools: 'export const few = contract(() => labelled("message").none());',
        guarantees: "t.few()",
        body: 'await t.post({ to: "a", topic: "" });',
      },
      "refuted",
    ],
    [
      "both together",
      {
        tools: 'export const few = contract(() => labelled("message").count() <= 1);',
        guarantees: "t.few()",
        body: 'await t.post({ to: "a", topic: "" }); await t.send({ to: "a", body: "" });',
      },
      "refuted",
    ],
    [
      "a field that one lacks",
      {
        tools: 'export const few = contract(() => labelled("message").all((e) => e.body === ""));',
        guarantees: "t.few()",
      },
      "FC2310",
    ],
    [
      "a label that nobody has",
      {
        tools: 'export const few = contract(() => labelled("massage").none());',
        guarantees: "t.few()",
        body: evil,
      },
      "FC2207",
    ],
    [
      "a tool of another module",
      {
        top: 'import * as u from "./tools/u";',
        tools: 'export const few = contract(() => labelled("message").none());',
        guarantees: "t.few()",
        body: 'await u.send({ to: "evil", body: "" });',
        files: { "tools/u.ts": twin },
      },
      "refuted",
    ],
    [
      "kept",
      {
        tools: 'export const few = contract(() => labelled("message").all((e) => e.to === "evil"));',
        guarantees: "t.few()",
        body: `${evil} await t.post({ to: "evil", topic: "" });`,
      },
      "proved",
    ],
  ]);

  lesson("trust is a matter of place", [
    [
      "beside the tools folder",
      { program: programOf({}).replace("./tools/t", "./tools-evil/t"), files: { "tools-evil/t.ts": world } },
      "FC2003",
    ],
    [
      "out of the tools folder again",
      { program: programOf({}).replace("./tools/t", "./tools/../evil/t"), files: { "evil/t.ts": world } },
      "FC2003",
    ],
    [
      "a tools folder further down",
      { program: programOf({}).replace("./tools/t", "./x/tools/t"), files: { "x/tools/t.ts": world } },
      "FC2003",
    ],
    [
      "the package from elsewhere",
      {
        program: programOf({}).replace('"foreclaim"', '"./foreclaim"'),
        files: { "foreclaim.ts": "export const program = 1;" },
      },
      "FC2003 FC2005",
    ],
    [
      "the package from the tools folder",
      {
        program: programOf({}).replace('"foreclaim"', '"./tools/foreclaim"'),
        files: { "tools/foreclaim.ts": "export const program = (x: unknown) => x;" },
      },
      "FC2005",
    ],
    [
      "a part of the package",
      { program: programOf({}).replace('"foreclaim"', '"foreclaim/x"') },
      "FC2003 FC2005",
    ],
    [
      "a type in the place of a value",
      { program: programOf({}).replace("import * as t", "import type * as t") },
      "FC2401",
    ],
    [
      "a form of import",
      { program: programOf({}).replace('"./tools/t"', '"./tools/t" with { type: "json" }') },
      "FC2006",
    ],
    [
      "a helper of the agent in a tool module",
      {
        tools:
          'import { yes } from "../mine"; export const fine = contract(() => send.all((e) => yes(e.to)));',
        guarantees: "t.fine()",
        body: evil,
        files: { "mine.ts": "export const yes = (x: string) => true;" },
      },
      "FC2010",
    ],
    ["the program as a tool module", { top: 'import * as me from "./program";' }, "FC2003"],
  ]);
});
