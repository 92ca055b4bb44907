/**
 * Coverage policies that a program uses, for every form of call; guarantees that are added; errors of wrong policies.
 */
import { describe, expect, it } from "vitest";
import { compileProgram, compileTools, type FrontCode } from "../../src/frontend/index.ts";
import { documentToJson } from "../../src/ir/index.ts";

const tools = (policies = "", imports = "") => `import { contract, coverage, tool } from "foreclaim";
${imports}
export const send = tool({ labels: ["message"], run: async ({ to }: { to: string }): Promise<void> => {} });
export const note = tool({ labels: ["message"], run: async ({ to }: { to: string }): Promise<void> => {} });
export const ask = tool({ run: async (): Promise<boolean> => true });
export const only = contract((to: string) => send.all((e) => e.to === to));
export const once = contract(() => send.distinct((e) => e.to));
export const few = contract((n = 3) => send.count() <= n);
export const quiet = contract(() => note.none());
export const nothing = contract(() => true);
export async function remind(to: string) { await send({ to }); }
export const all = { send, note };
export const both = [send, note];
export const pick = (first: boolean) => first ? send : note;
${policies}
`;

const policy =
  'export const policy = coverage({ whenUsed: [send], recommended: [only], required: [once], label: "mail" });';

interface Parts {
  readonly body?: string;
  readonly top?: string;
  readonly guarantees?: string;
  readonly policies?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly toolModules?: readonly string[];
}

function compiled({ body = "", top = "", guarantees = "t.nothing()", policies = policy, ...more }: Parts) {
  const files: Readonly<Record<string, string>> = {
    "tools/t.ts": tools(policies),
    "program.ts": `import { program } from "foreclaim";
import * as t from "./tools/t";
${top}
export default program({ guarantees: [${guarantees}], async run() {
${body}
} });`,
    ...more.files,
  };
  const readFile = (path: string) => files[path];
  const { toolModules } = more;
  return compileProgram("program.ts", { readFile, ...(toolModules && { toolModules: () => toolModules }) });
}

function value(parts: Parts) {
  const result = compiled(parts);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const isUsed = (parts: Parts) => value(parts).used.length > 0;

describe("a domain is used", () => {
  it.each([
    ["by a call", { body: 'await t.send({ to: "a" });' }],
    ["by another name", { body: 'const f = t.send; await f({ to: "a" });' }],
    ["by the name of a name", { body: 'const f = t.send; const g = f; const h = g; await h({ to: "a" });' }],
    ["by a name of the file", { top: "const f = t.send;", body: 'await f({ to: "a" });' }],
    ["by a named import", { top: 'import { send as f } from "./tools/t";', body: 'await f({ to: "a" });' }],
    ["by destructuring", { body: 'const { send } = t; await send({ to: "a" });' }],
    ["by destructuring under another name", { body: 'const { send: f } = t; await f({ to: "a" });' }],
    ["by the name of the module", { body: 'const m = t; await m.send({ to: "a" });' }],
    ["by a field in brackets", { body: 'await t["send"]({ to: "a" });' }],
    ["by a helper", { top: "async function f() { await t.send({ to: 'a' }); }", body: "await f();" }],
    ["by a helper of the tool module", { body: 'await t.remind("a");' }],
    [
      "by an argument",
      { top: "const call = async (f: typeof t.send) => f({ to: 'a' });", body: "await call(t.send);" },
    ],
    [
      "by a default argument",
      { top: "const call = async (f = t.send) => f({ to: 'a' });", body: "await call();" },
    ],
    [
      "by a choice",
      { body: 'const a = await t.ask(); const f = a ? t.send : t.note; await f({ to: "a" });' },
    ],
    ["in a loop", { body: 'for (const to of ["a", "b"]) await t.send({ to });' }],
    ["in a loop over tools", { body: 'for (const f of [t.send, t.note]) await f({ to: "a" });' }],
    ["through an object", { body: 'const o = { f: t.send }; await o.f({ to: "a" });' }],
    ["through an object of the tool module", { body: 'await t.all.send({ to: "a" });' }],
    ["through a module in an object", { body: 'const o = { t }; await o.t.send({ to: "a" });' }],
  ])("%s", (_, parts: Parts) => {
    expect(isUsed(parts)).toBe(true);
  });

  it.each([
    ["in a dead branch", { body: 'if (false) await t.send({ to: "a" });' }],
    [
      "behind a condition that is false",
      { body: 'const on = 1 > 2; if (on) { await t.send({ to: "a" }); }' },
    ],
    ["in a dead ternary", { body: 'const x = true ? 1 : await t.send({ to: "a" });' }],
    ["behind a short circuit", { body: 'false && await t.send({ to: "a" });' }],
    ["behind a return", { body: 'return; await t.send({ to: "a" });' }],
    ["behind a throw", { body: 'throw new Error("x"); await t.send({ to: "a" });' }],
    ["in a helper that nobody calls", { top: "async function f() { await t.send({ to: 'a' }); }" }],
    [
      "in a nested helper that nobody calls",
      { body: "const f = async () => { await t.send({ to: 'a' }); };" },
    ],
    ["in a loop over nothing", { body: "for (const to of [] as string[]) await t.send({ to });" }],
    [
      "in a case that is never taken",
      { body: 'switch (1 as number) { case 2: await t.send({ to: "a" }); }' },
    ],
    ["in a catch that nothing leads to", { body: 'try { } catch { await t.send({ to: "a" }); }' }],
    ["by an alias in a dead branch", { body: 'const f = t.send; if (false) await f({ to: "a" });' }],
    [
      "by an alias of the file in a dead branch",
      { top: "const f = t.send;", body: 'if (false) await f({ to: "a" });' },
    ],
    [
      "by destructuring in a dead branch",
      { body: 'if (false) { const { send: f } = t; await f({ to: "a" }); }' },
    ],
    [
      "by destructuring outside a dead branch",
      { body: 'const { send: f } = t; if (false) await f({ to: "a" });' },
    ],
    [
      "by a parameter in a dead branch",
      { body: 'const g = (m = t) => m; if (false) await g().send({ to: "a" });' },
    ],
    [
      "by a rest in a dead branch",
      { body: 'if (false) { const { note, ...rest } = t; await rest.send({ to: "a" }); }' },
    ],
    [
      "by a computed field in a dead branch",
      { body: 'if (false) await t[("se" + "nd") as "send"]({ to: "a" });' },
    ],
    [
      "by all values in a dead branch",
      { body: "if (false) { for (const f of Object.values(t)) await f(); }" },
    ],
    ["by a copy in a dead branch", { body: 'if (false) { const c = { ...t }; await c.send({ to: "a" }); }' }],
    [
      "by `let` in a dead branch",
      { body: 'let f = t.note; if (false) { f = t.send; await f({ to: "a" }); }' },
    ],
    ["by `?.` in a dead branch", { body: 'if (false) await t?.send?.({ to: "a" });' }],
    [
      "with a type assertion in a dead branch",
      { body: 'if (false) await (t.send as typeof t.note)({ to: "a" });' },
    ],
    [
      "with `satisfies` in a dead branch",
      { body: 'if (false) await (t.send satisfies object)({ to: "a" });' },
    ],
    ["by a helper of the tool module in a dead branch", { body: 'if (false) await t.remind("a");' }],
    [
      "by an object of the tool module in a dead branch",
      { body: 'if (false) await t.all.send({ to: "a" });' },
    ],
    ["by a list of the tool module in a dead branch", { body: 'if (false) await t.both[0]({ to: "a" });' }],
    [
      "by a function of the tool module in a dead branch",
      { body: 'if (false) await t.pick(true)({ to: "a" });' },
    ],
    [
      "by an argument in a dead branch",
      {
        body: 'const c = async (f: typeof t.send) => f({ to: "a" }); await c(t.note); if (false) await c(t.send);',
      },
    ],
    ["by a module in a list", { body: 'if (false) for (const m of [t]) await m.send({ to: "a" });' }],
    [
      "by an export of another module",
      {
        top: 'import { f } from "./tools/u";',
        body: 'if (false) await f({ to: "a" });',
        files: { "tools/u.ts": 'export { send as f } from "./t";' },
      },
    ],
    [
      "by a star export of another module",
      {
        top: 'import * as u from "./tools/u";',
        body: 'if (false) await u.send({ to: "a" });',
        files: { "tools/u.ts": 'export * from "./t";' },
      },
    ],
    [
      "by a module of another module",
      {
        top: 'import * as u from "./tools/u";',
        body: 'if (false) await u.inner.send({ to: "a" });',
        files: { "tools/u.ts": 'export * as inner from "./t";' },
      },
    ],
  ])("where no path leads: %s", (_, parts: Parts) => {
    const { used, document } = value(parts);
    expect(used).toHaveLength(1);
    expect(JSON.stringify(document.program.body.map((one) => "tool" in one && one.tool))).not.toContain(
      '"t.send"',
    );
  });

  it.each([
    ["without a call", {}],
    ["by another tool", { body: 'await t.note({ to: "a" });' }],
    ["by another tool of the module under a name", { body: 'const m = t; await m.note({ to: "a" });' }],
    ["by another tool through an object", { body: 'const o = { t }; await o.t.note({ to: "a" });' }],
    ["by a local function of that name", { body: "const send = async (x: string) => {}; await send('a');" }],
    [
      "by a local object of that name",
      {
        body: "const f = async () => { const t = { send: (x: number) => x }; return t.send(1); }; await f();",
      },
    ],
    [
      "by a parameter of that name",
      { top: "const f = (send: number) => send + 1;", body: "const x = f(1);" },
    ],
    ["by a type", { top: "type F = typeof t.send;" }],
    ["by a name that nobody calls", { body: "const f = t.send;" }],
    ["by a part that nobody calls", { body: "const { send } = t;" }],
    ["by a text", { body: 'const send = "send";' }],
    ["by a guarantee", { guarantees: 't.only("a")' }],
    ["by a comment", { body: '// await t.send({ to: "a" });' }],
  ])("not %s", (_, parts: Parts) => {
    expect(isUsed(parts)).toBe(false);
  });
});

describe("what a program states", () => {
  const body = 'await t.send({ to: "a" });';
  const contracts = (parts: Parts) => value({ body, ...parts }).used[0]?.contracts ?? [];

  it("counts by the contract, whatever it is called, and not by spelling", () => {
    const of = (parts: Parts) => contracts(parts).map(({ contract, stated }) => [contract, stated]);
    expect(of({ guarantees: 't.nothing(), t.only("a"), t.once()' })).toEqual([
      ["t.once", 2],
      ["t.only", 1],
    ]);
    const renamed = { top: 'import { only as x, once as y } from "./tools/t";', guarantees: 'x("a"), y()' };
    expect(of(renamed)).toEqual([
      ["t.once", 1],
      ["t.only", 0],
    ]);
    const spoofed = compiled({ body, top: "const once = () => true;", guarantees: "once()" });
    expect(spoofed.ok).toBe(false);
  });

  it("counts with the arguments that the policy names", () => {
    const policies =
      "export const p = coverage({ whenUsed: [send], recommended: [few(2)], required: [few(5)] });";
    const of = (guarantees: string) => contracts({ policies, guarantees }).map(({ stated }) => stated);
    expect(of("t.few(2), t.few(5)")).toEqual([1, 0]);
    expect(of("t.few(3)")).toEqual([undefined, undefined]);
    expect(of("t.few()")).toEqual([undefined, undefined]);
  });
});

describe("a required contract that is not stated", () => {
  const body = 'if (await t.ask()) await t.send({ to: "a" });';

  it("stands after the guarantees of the program, which itself stays as it is", () => {
    const { document, used, sourceMap } = value({ body });
    const without = value({ body, policies: "" }).document;
    expect(document.guarantees.map(({ name }) => name)).toEqual(["t.nothing", "t.once"]);
    expect(used[0]?.contracts[0]).toMatchObject({ contract: "t.once", isRequired: true, added: 1 });
    const { guarantees, modules, ...rest } = document;
    const { guarantees: before, modules: other, ...same } = without;
    expect(documentToJson({ ...rest, guarantees: [] })).toEqual(documentToJson({ ...same, guarantees: [] }));
    expect(guarantees).toEqual([...before, expect.anything()]);
    expect(modules).not.toBe(other);
    expect(sourceMap.places.get("/guarantees/1")).toBeDefined();
  });

  it("is not added twice, and not where it is stated or nothing is used", () => {
    const twice = `${policy}\nexport const more = coverage({ whenUsed: [send, ask], required: [once] });`;
    const names = (parts: Parts) => value(parts).document.guarantees.map(({ name }) => name);
    expect(names({ body, policies: twice })).toEqual(["t.nothing", "t.once"]);
    expect(value({ body, policies: twice }).used.map(({ contracts }) => contracts[0]?.added)).toEqual([1, 1]);
    expect(names({ body, guarantees: "t.once()" })).toEqual(["t.once"]);
    expect(names({ body: "" })).toEqual(["t.nothing"]);
    expect(names({ body: 'if (false) await t.send({ to: "a" });' })).toEqual(["t.nothing", "t.once"]);
  });

  it("brings the tools and fluents that it speaks of", () => {
    const policies = `import { fluent } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const close = tool({ effects: ({ k }) => [open.set(k, false)], run: async ({ k }: { k: string }): Promise<void> => {} });
export const shut = contract(() => open.final.all((o) => !o.value) && close.count() <= 3);
export const p = coverage({ whenUsed: [send], required: [shut] });`;
    const { document } = value({ body, policies });
    expect(document.tools.map(({ name }) => name)).toContain("t.close");
    expect(document.fluents.map(({ name }) => name)).toEqual(["t.open"]);
  });
});

describe("a policy in a module that the program does not import", () => {
  const rules = `import { coverage } from "foreclaim";
import { once, send } from "./t";
export const rule = coverage({ whenUsed: [send], required: [once] });`;
  const of = (body: string, files: Readonly<Record<string, string>>) =>
    value({ body, policies: "", files, toolModules: ["tools/t.ts", ...Object.keys(files)] });

  it("counts where it is about the program, and is then part of the hash", () => {
    const call = 'await t.send({ to: "a" });';
    const found = of(call, { "tools/rules.ts": rules });
    expect(found.used.map(({ policy: { name } }) => name)).toEqual(["rules.rule"]);
    expect(found.document.guarantees.map(({ name }) => name)).toEqual(["t.nothing", "t.once"]);
    expect(found.modules).not.toBe(of(call, {}).modules);
    const unused = of('await t.note({ to: "a" });', { "tools/rules.ts": rules });
    expect(unused.used).toEqual([]);
    expect(unused.modules).toBe(of('await t.note({ to: "a" });', {}).modules);
  });

  it("is not about a tool of the same name in another folder", () => {
    const files: Readonly<Record<string, string>> = {
      "a/t.ts": tools(),
      "b/t.ts": tools(policy),
      "program.ts":
        'import { program } from "foreclaim";\nimport * as t from "./a/t";\nexport default program({ guarantees: [t.nothing()], async run() { await t.send({ to: "a" }); } });',
    };
    const readFile = (path: string) => files[path];
    const host = { readFile, tools: ["a", "b"], toolModules: () => ["a/t.ts", "b/t.ts"] };
    const result = compileProgram("program.ts", host);
    expect(result.ok && result.value.used).toEqual([]);
  });

  it("is a problem where it cannot be read", () => {
    const files = { "tools/rules.ts": "// coverage\nexport const = ;" };
    const toolModules = ["tools/t.ts", "tools/rules.ts"];
    const result = compiled({ policies: "", files, toolModules });
    expect(result.ok || result.problems.map(({ code }) => code)).toEqual(["FC2001"]);
    const wrong = { "tools/rules.ts": rules.replace("[once]", "[send]") };
    const other = compiled({ policies: "", files: wrong, toolModules });
    expect(other.ok || other.problems.map(({ code }) => code)).toEqual(["FC2211"]);
  });
});

describe("a wrong policy", () => {
  const wrong: readonly (readonly [string, FrontCode, string])[] = [
    [
      "requires a contract that takes arguments",
      "FC2220",
      "coverage({ whenUsed: [send], required: [only] })",
    ],
    [
      "requires one whose argument may be left out",
      "FC2220",
      "coverage({ whenUsed: [send], required: [few] })",
    ],
    ["requires what is no contract", "FC2211", "coverage({ whenUsed: [send], required: [send] })"],
    ["requires a function", "FC2211", "coverage({ whenUsed: [send], required: [pick] })"],
    ["recommends what is no contract", "FC2211", "coverage({ whenUsed: [send], recommended: [remind] })"],
    ["recommends a text", "FC2211", 'coverage({ whenUsed: [send], recommended: ["once"] })'],
    ["is about a contract", "FC2201", "coverage({ whenUsed: [once] })"],
    ["is about a name that is not there", "FC2401", "coverage({ whenUsed: [post] })"],
    ["is about nothing", "FC2201", "coverage({ recommended: [once] })"],
    ["is about an empty list", "FC2201", "coverage({ whenUsed: [], recommended: [once] })"],
    ["is about no list", "FC2201", "coverage({ whenUsed: send })"],
    ["spreads a list", "FC2201", "coverage({ whenUsed: [...both] })"],
    ["names a tool twice", "FC2221", "coverage({ whenUsed: [send, note, send] })"],
    ["recommends twice", "FC2221", "coverage({ whenUsed: [send], recommended: [only, only] })"],
    [
      "requires and recommends the same",
      "FC2221",
      "coverage({ whenUsed: [send], recommended: [once], required: [once()] })",
    ],
    ["has an unknown option", "FC2011", "coverage({ whenUsed: [send], forbidden: [once] })"],
    ["has an option twice", "FC2404", "coverage({ whenUsed: [send], required: [], required: [once] })"],
    ["has a label that is no text", "FC2204", "coverage({ whenUsed: [send], label: 1 })"],
    ["has an empty label", "FC2204", 'coverage({ whenUsed: [send], label: " " })'],
    ["gives too many arguments", "FC2213", 'coverage({ whenUsed: [send], required: [only("a", "b")] })'],
    ["gives too few arguments", "FC2213", "coverage({ whenUsed: [send], required: [only()] })"],
    ["gives an argument of another type", "FC2105", "coverage({ whenUsed: [send], required: [only(1)] })"],
    ["is no object", "FC2201", "coverage(send)"],
    ["is one of a list", "FC2222", "[coverage({ whenUsed: [send] })]"],
    ["is in an object", "FC2222", "({ a: coverage({ whenUsed: [send] }) })"],
    ["is made by a function", "FC2222", "(() => coverage({ whenUsed: [send] }))()"],
    ["is chosen", "FC2222", "true ? coverage({ whenUsed: [send] }) : undefined"],
  ];

  it.each(wrong)("%s: %s", (_, code, text) => {
    for (const policies of [`export const p = ${text};`]) {
      const result = compiled({ policies });
      expect(result.ok || result.problems.map((problem) => problem.code)).toEqual([code]);
      const files = new Map([["tools/t.ts", tools(policies)]]);
      const alone = compileTools(["tools/t.ts"], { readFile: (path) => files.get(path) });
      expect(alone.ok || alone.problems.map((problem) => problem.code)).toEqual([code]);
    }
  });

  it("is told of whoever makes it, and where", () => {
    const cases = [
      "const c = coverage; export const p = c({ whenUsed: [send] });",
      "export default coverage({ whenUsed: [send] });",
      "coverage({ whenUsed: [send] });",
      "export const { p } = { p: coverage({ whenUsed: [send] }) };",
    ];
    for (const policies of cases) {
      const result = compiled({ policies });
      expect(result.ok || result.problems.map(({ code }) => code), policies).toContain("FC2222");
    }
    const two = `${policy}\nexport const other = coverage({ whenUsed: [note], label: "mail" });`;
    const twice = compiled({ policies: two });
    expect(twice.ok || twice.problems.map(({ code }) => code)).toEqual(["FC2221"]);
    const hidden = compiled({ policies: "const p = coverage({ whenUsed: [send] });" });
    expect(hidden.ok || hidden.problems.map(({ code }) => code)).toEqual(["FC2202"]);
  });

  it("may be made under another name of the package's word", () => {
    const policies =
      'import { coverage as asks } from "foreclaim"; export const p = asks({ whenUsed: [send], required: [once] });';
    expect(value({ body: 'await t.send({ to: "a" });', policies }).used).toHaveLength(1);
  });
});
