/** Mistakes that others made, each tried here: names, trust, aliases, constants, and what is never skipped. */
import { describe, expect, it } from "vitest";
import { compileProgram, type SourceDiagnostic } from "../../src/frontend/index.ts";
import { type Document, printDocument } from "../../src/ir/index.ts";

const tools = `import { contract, tool } from "foreclaim";
export const send = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const only = contract((to: string) => send.all((e) => e.to === to));
export const atMost = contract((n: number) => send.count() <= n);
export const alias = send;
`;

function compile(files: Readonly<Record<string, string>>, roots?: readonly string[], entry = "program.ts") {
  const host = { readFile: (path: string) => files[path], ...(roots === undefined ? {} : { tools: roots }) };
  return compileProgram(entry, host);
}

function document(program: string, files: Readonly<Record<string, string>> = {}): Document {
  const result = compile({ "tools/mail.ts": tools, "program.ts": program, ...files });
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  return result.value.document;
}

function problems(
  program: string,
  files: Readonly<Record<string, string>> = {},
  roots?: readonly string[],
): readonly SourceDiagnostic[] {
  const result = compile({ "tools/mail.ts": tools, "program.ts": program, ...files }, roots);
  return result.ok ? [] : result.problems;
}

const program = (
  body: string,
  guarantees = 'mail.only("a")',
  top = "",
) => `import { program } from "foreclaim";
import * as mail from "./tools/mail";
${top}
export default program({ guarantees: [${guarantees}], async run() { ${body} } });`;

describe("names", () => {
  it("a local function named like a contract is not the contract", () => {
    const found = problems(program("", 'only("a")', "const only = (to: string) => true;"));
    expect(found.map((one) => one.code)).toEqual(["FC2211"]);
  });

  it("a local function named like a tool is not the tool", () => {
    const made = document(program('const send = (x: { to: string }) => x.to; const y = send({ to: "b" });'));
    expect(made.program.body).toEqual([]);
  });

  it("an alias is the same tool, wherever it was made", () => {
    const made = document(
      program('const f = mail.alias; await f({ to: "a" }); await mail.send({ to: "b" });'),
    );
    expect(made.tools.map((tool) => tool.name)).toEqual(["mail.send"]);
    expect(made.program.body).toHaveLength(2);
  });

  it("equal names in two modules are two tools", () => {
    const made = document(
      `import { program } from "foreclaim"; import * as mail from "./tools/mail"; import { send } from "./tools/chat";
       export default program({ guarantees: [mail.only("a")], async run() { await send({ to: "x" }); } });`,
      { "tools/chat.ts": tools },
    );
    expect(made.program.body).toMatchObject([{ kind: "call", tool: "chat.send" }]);
    expect(made.tools.map((tool) => tool.name)).toEqual(["chat.send", "mail.send"]);
  });

  it("a re-exported contract keeps its own name", () => {
    const made = document(
      `import { program } from "foreclaim"; import { just } from "./tools/again";
       export default program({ guarantees: [just("a")], async run() {} });`,
      { "tools/again.ts": 'export { only as just } from "./mail";' },
    );
    expect(made.guarantees.map((one) => one.name)).toEqual(["mail.only"]);
  });

  it("names of the document are unique and those of the source", () => {
    const text = printDocument(
      document(
        program(
          'const x = "a"; { const x = "b" + "c"; await mail.send({ to: x }); } await mail.send({ to: x });',
        ),
      ),
    );
    expect(text).toContain('call mail.send(to: "bc")');
  });
});

describe("trust", () => {
  const outside = { "lib/mail.ts": tools };
  const from = (path: string) => `import { program } from "foreclaim"; import * as mail from "${path}";
export default program({ guarantees: [mail.only("a")], async run() {} });`;

  it("comes from the folder alone", () => {
    expect(problems(from("./lib/mail"), outside).map((one) => one.code)).toContain("FC2003");
    expect(problems(from("./lib/mail"), outside, ["lib"])).toEqual([]);
    expect(problems(from("./tools/mail"), outside, ["lib"]).map((one) => one.code)).toContain("FC2003");
    expect(problems(from("./tools/../lib/mail"), outside).map((one) => one.code)).toContain("FC2003");
    expect(
      problems(from("./tools-evil/mail"), { "tools-evil/mail.ts": tools }).map((one) => one.code),
    ).toContain("FC2003");
  });

  it("reaches up from the program", () => {
    const files = { "tools/mail.ts": tools, "agents/p.ts": from("../tools/mail.ts") };
    expect(compile(files, undefined, "agents/p.ts").ok).toBe(true);
  });

  it("takes modules with and without extension", () => {
    for (const path of ["./tools/mail", "./tools/mail.ts", "./tools/mail.js"])
      expect(problems(from(path))).toEqual([]);
    expect(
      problems(from("./tools/mail"), { "tools/mail.ts": "", "tools/mail/index.ts": tools }).map(
        (one) => one.code,
      ),
    ).toContain("FC2004");
  });

  it("changes the hash with every byte of a tool module", () => {
    const hash = (text: string) => document(program(""), { "tools/mail.ts": text }).modules;
    expect(hash(tools)).toBe(hash(tools));
    expect(hash(`${tools} `)).not.toBe(hash(tools));
  });
});

describe("guarantees", () => {
  it("take their arguments from the module, not from `run`", () => {
    const made = document(
      program('const WHO = "b"; await mail.send({ to: WHO });', "mail.only(WHO)", 'const WHO = "a";'),
    );
    expect(made.guarantees[0]?.args).toEqual([{ kind: "string", value: "a" }]);
  });

  it("keep both halves of a conjunction", () => {
    const text = `${tools}export const both = contract((n: number) => atMost(n) && only("a") && !send.some((e) => e.to === ""));`;
    const [one] = document(program("", "mail.both(2)"), { "tools/mail.ts": text }).guarantees;
    expect(one?.formula).toMatchObject({ kind: "op", op: "and", args: [{}, {}, {}] });
  });

  it("must be there, once for all ways of leaving them out", () => {
    for (const list of ["", "...[mail.only('a')]", "mail", "() => true", "mail.send", "Boolean(1)"])
      expect(problems(program("", list)).length, list).toBeGreaterThan(0);
    const without =
      'import { program } from "foreclaim"; export default program({ async run() {} } as never);';
    expect(problems(without).map((one) => one.code)).toEqual(["FC2212"]);
  });

  it("cannot be made up by two default exports or another `program`", () => {
    const spoofed = `import * as mail from "./tools/mail"; const program = (x: unknown) => x; export default program({ guarantees: [mail.only("a")], async run() {} });`;
    expect(problems(spoofed).map((one) => one.code)).toEqual(["FC2005"]);
  });
});

describe("literals", () => {
  it("are what JavaScript reads", () => {
    const made = document(
      program('await mail.send({ to: "\\u{62}\\x41\\n" }); await mail.send({ to: String(0.1 + 0.2) });'),
    );
    expect(made.program.body).toMatchObject([
      { args: [{ value: { value: "bA\n" } }] },
      { args: [{ value: { value: "0.3" } }] },
    ]);
  });
});

describe("nothing is skipped", () => {
  it("a problem in a helper, a callback or a dead branch is told", () => {
    const cases = [
      program("f();", undefined, "const f = () => { performance.now(); };"),
      program("[1].map(() => performance.now());"),
      program("(await mail.rows()).map(() => 1);"),
      program("const f = () => { class B {} class A extends B {} };"),
      program("class A { go() { performance.now(); } } new A().go();"),
      program("if (false) { eval('1'); class B {} class A extends B {} }"),
    ];
    for (const source of cases) expect(problems(source).length, source).toBeGreaterThan(0);
  });

  it("several problems are told at once", () => {
    const found = problems(
      program("performance.now(); const x = nope; await mail.send({ to: x }); process.exit();"),
    );
    expect(found.map((one) => one.code)).toEqual(["FC2316", "FC2401", "FC2316"]);
  });

  it("hostile sources end in a message", () => {
    const deep = `const x = ${"(1 + ".repeat(400)}1${")".repeat(400)}; await mail.send({ to: String(x) });`;
    const doubling = Array.from(
      { length: 40 },
      (_, i) => `const f${i + 1} = (x: string): string => f${i}(x) + f${i}(x);`,
    ).join("\n");
    expect(problems(program(deep))[0]?.code).toBe("FC2502");
    expect(
      problems(
        program('await mail.send({ to: f40("") });', undefined, `const f0 = (x: string) => x;\n${doubling}`),
      )[0]?.code,
    ).toMatch(/^FC25/);
    expect(problems("export default program({")[0]?.code).toBe("FC2001");
    expect(problems("")[0]?.code).toBe("FC2005");
  });
});
