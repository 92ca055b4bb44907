/** The output of `prove`. Most tests ask a solver, because the prover also looks at runs that stop early. */
import { describe, expect, it } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runCli } from "../../run-cli.ts";

const home = `import { contract, fluent, tool } from "foreclaim";
export const doorLocked = fluent<string, boolean>({ initial: true });
export const unlock = tool({
  requires: ({ door }) => door !== "",
  effects: ({ door }) => [doorLocked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const lock = tool({
  effects: ({ door }) => [doorLocked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<{ battery: number }> => ({ battery: 1 }),
});
export const allDoorsLockedAtEnd = contract(() => doorLocked.final.all((d) => d.value));
export const atMost = contract((n: number) => unlock.count() <= n);
`;

const program = (guarantees: string, body: string, inputs = "") => `import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [${guarantees}],
  async run(${inputs}) {
    ${body}
  },
});
`;

const both = "home.allDoorsLockedAtEnd(), home.atMost(1)";
const files = {
  "tools/home.ts": home,
  "tools/bad.ts": 'import { tool } from "foreclaim";\nexport const a = tool({ run: async () => 1 });\n',
  "fine.ts": program(both, 'await home.unlock({ door: "front" });\n    await home.lock({ door: "front" });'),
  "ajar.ts": program(both, 'await home.lock({ door: "front" });\n    await home.unlock({ door: "front" });'),
  "twice.ts": program("home.atMost(1)", 'for (const door of ["front", "back"]) await home.unlock({ door });'),
  "empty.ts": program("home.atMost(1)", 'await home.unlock({ door: "" });'),
  "wrong.ts": program("home.atMost(1)", "await home.unlok({ door: 1 });"),
  "uses-bad.ts": `import * as bad from "./tools/bad";\n${program("home.atMost(1)", "await bad.a(); var x = 1;")}`,
};

/** Documents without tool modules beside them, which would have to know their tools. */
const alone = {
  "nothing.eir": "effect-ir 1\nprogram () {\n}\n",
  "helper.eir":
    'effect-ir 1\ntool a.b(n: int)\n  requires n > 0\nprogram () {\n  for n in [1, 2] {\n    call @x a.b(n: n)\n  }\n  require 1 < 2: "so"\n}\nguarantee a.c(): forall x in a.b: x.n < 3\n',
};

async function foreclaim(line: string, options: Parameters<typeof fakeHost>[0] = {}) {
  const host = fakeHost({ files, ...options });
  const code = await runCli(line.split(" "), host, "0");
  return { code, out: host.out(), err: host.err() };
}

describe("what authors wrote above their contracts", () => {
  const words = "Nobody unlocks more\n * than so many doors.";
  const withWords = home.replace("export const atMost", `/** ${words} */\nexport const atMost`);
  const stated = "effect-ir 1\nprogram () {}\nguarantee home.atMost(1)\nguarantee home.atMost2(): true\n";
  const told = { files: { "tools/home.ts": withWords, "fine.ts": files["fine.ts"], "stated.eir": stated } };
  const said = "author's note (not verified): Nobody unlocks more than so many doors.";

  it("stands below the sentence, as their words", async () => {
    const { out } = await foreclaim("prove fine.ts", { ...told, columns: 100 });
    expect(out).toContain(`\`home.unlock\` is called at most once\n           ${said}\n`);
    expect(out.split("author's note").length).toBe(2);
  });

  it("stands below a contract that a document states, and below no statement of its own", async () => {
    const { out } = await foreclaim("prove stated.eir", { ...told, columns: 100 });
    expect(out).toContain(said);
    expect(out.split("author's note").length).toBe(2);
  });

  it("is in the JSON as it was written", async () => {
    const { out } = await foreclaim("prove fine.ts --json", told);
    const docs = JSON.parse(out).guarantees.map(({ doc }: { readonly doc?: string }) => doc);
    expect(docs).toEqual([undefined, "Nobody unlocks more\nthan so many doors."]);
  });
});

describe("what is said to people", () => {
  it("of what is proved, with what may break if the run stops early", async () => {
    const { code, out, err } = await foreclaim("prove fine.ts", { columns: 80, unicode: true });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.replace(/1-[0-9a-f]{16}/g, "1-0")).toBe(`fine.ts  eir1-0…
for every input and every tool result allowed by the tool modules
fcm1-0…

  ✓ proved   home.allDoorsLockedAtEnd()
             at the end, every \`home.doorLocked\` is true
             if the run stops after \`home.unlock\` (line 7) or \`home.lock\` (line
             8), this may be violated
  ✓ proved   home.atMost(1)
             \`home.unlock\` is called at most once

✓ proved  2 guarantees proved; 1 obligation proved
`);
  });

  it("of what is refuted: the run, what it changes, and the calls that are involved", async () => {
    const { code, out } = await foreclaim("prove ajar.ts");
    expect(code).toBe(1);
    expect(out.slice(out.indexOf("\n\n") + 2)).toBe(`  refuted  home.allDoorsLockedAtEnd()
           at the end, every \`home.doorLocked\` is true
  proved   home.atMost(1)
           \`home.unlock\` is called at most once

refuted: home.allDoorsLockedAtEnd() is violated in this run
  1  home.lock(door: "front")    line 7
     -> { battery: 0 }
     home.doorLocked["front"]: stays true
  2  home.unlock(door: "front")  line 8
     home.doorLocked["front"]: true -> false

 --> ajar.ts:5:16
  |
5 |   guarantees: [home.allDoorsLockedAtEnd(), home.atMost(1)],
  |                ^^^^^^^^^^^^^^^^^^^^^^^^^^ violated at the end of this run
...
7 |     await home.lock({ door: "front" });
  |           ---------------------------- call 1
8 |     await home.unlock({ door: "front" });
  |           ------------------------------ call 2

refuted  2 guarantees: 1 proved, 1 refuted; 1 obligation proved
`);
  });

  it("of calls in a loop, at one place", async () => {
    expect((await foreclaim("prove twice.ts")).out).toContain("calls 1 and 2\n");
  });

  it("of a call that breaks what its tool requires", async () => {
    const { code, out } = await foreclaim("prove empty.ts", { columns: 60 });
    expect(code).toBe(1);
    expect(out).toContain(`
refuted: \`home.unlock\` requires \`door != ""\`, which does
not hold (\`door\` is \`""\`)
  no calls

 --> empty.ts:7:11
  |
7 |     await home.unlock({ door: "" });
  |           ^^^^^^^^^^^^^^^^^^^^^^^^^ the run stops here

`);
  });

  it("of a program that does not compile", async () => {
    const { code, out, err } = await foreclaim("prove wrong.ts");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^error FC2004[\s\S]*wrong\.ts:7:11[\s\S]*\ninvalid {2}wrong\.ts does not compile: 1 problem\n$/,
    );
  });

  it("of a tool module that does not compile, with the program that needs it", async () => {
    const { code, err } = await foreclaim("prove uses-bad.ts");
    expect(code).toBe(1);
    expect(err).toMatch(
      /invalid {2}uses-bad\.ts does not compile: \d problems, \d of them in other files; --json has/,
    );
  });

  it("of a document that promises nothing", async () => {
    expect((await foreclaim("prove nothing.eir", { files: alone })).out).toMatch(
      /\nproved {2}the program states no guarantee\n$/,
    );
  });

  it.each([40, 80, 120])("within %d columns", async (columns) => {
    for (const name of ["ajar.ts", "empty.ts", "helper.eir"]) {
      const { out } = await foreclaim(`prove ${name}`, {
        files: { ...files, ...alone },
        columns,
        unicode: true,
      });
      for (const line of out.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(columns);
    }
  });
});

describe("what is said to programs", () => {
  const object = async (line: string) => JSON.parse((await foreclaim(`${line} --json`)).out);

  it("has the fields that were promised, in their order", async () => {
    const told = await object("prove ajar.ts");
    expect(Object.keys(told).slice(0, 6)).toEqual([
      "file",
      "verdict",
      "guarantees",
      "obligations",
      "errors",
      "ms",
    ]);
    const [open, few] = told.guarantees;
    expect(Object.keys(open).slice(0, 6)).toEqual([
      "name",
      "text",
      "verdict",
      "by",
      "interruption",
      "counterexample",
    ]);
    expect(open.counterexample).toMatchObject({
      calls: [
        { call: "c1", tool: "home.lock", result: { battery: "0" }, line: 7, column: 11 },
        { call: "c2", tool: "home.unlock", result: null, line: 8, column: 11 },
      ],
      fluents: [{ fluent: "home.doorLocked", key: "front", value: false }],
      at: { line: 5, column: 16 },
    });
    expect(few).toMatchObject({ verdict: "proved", by: "ground", interruption: { safe: true } });
    expect(few).not.toHaveProperty("counterexample");
  });

  it("says where a run that stops early may break what is proved", async () => {
    const { guarantees } = await object("prove fine.ts");
    expect(guarantees[0].interruption).toEqual({
      safe: false,
      openAfter: [
        { call: "c1", tool: "home.unlock", line: 7, column: 11, certain: true },
        { call: "c2", tool: "home.lock", line: 8, column: 11, certain: true },
      ],
    });
  });

  it("tells every problem of every file", async () => {
    const { verdict, errors } = await object("prove uses-bad.ts");
    expect(verdict).toBe("invalid");
    const places = errors.map((one: { code: string; span: { file: string } }) => [one.code, one.span.file]);
    expect(places).toContainEqual(["FC2102", "tools/bad.ts"]);
    expect(places).toContainEqual(["FC2302", "uses-bad.ts"]);
  });

  it("has calls of loops by their indices, and obligations with their places", async () => {
    const { obligations } = JSON.parse((await foreclaim("prove helper.eir --json", { files: alone })).out);
    expect(obligations).toEqual([
      {
        kind: "requires",
        text: "`a.b` is only called with `n` above 0",
        verdict: "proved",
        by: "ground",
        line: 6,
        column: 5,
      },
      {
        kind: "requires",
        text: "`a.b` is only called with `n` above 0",
        verdict: "proved",
        by: "ground",
        line: 6,
        column: 5,
      },
      {
        kind: "require",
        text: "where the program requires it, 1 is below 2: so",
        verdict: "proved",
        by: "ground",
        line: 8,
        column: 3,
      },
    ]);
  });

  it("is one line, also with what --show adds", async () => {
    const { out } = await foreclaim("prove fine.ts --json --show facts");
    expect(out.trimEnd()).not.toContain("\n");
    expect(JSON.parse(out).shown).toContain("c1  home.unlock(door: ");
  });
});

describe("--show", () => {
  it("ir: the compiled document, which reads back", async () => {
    const { out } = await foreclaim("prove fine.ts --show ir");
    const text = out.slice(0, out.indexOf("\nfine.ts  eir1-"));
    const checked = await foreclaim("ir hash shown.eir", { files: { "shown.eir": text } });
    expect(out).toContain(checked.out.slice(0, 21));
  });

  it("facts: every call, with its guard, its result and its place", async () => {
    const text = `effect-ir 1
tool a.get(n: int) -> record{ok: bool, name: option<string>}
tool a.put(name: string, note?: string)
program (limit: int) {
  let got = call @get a.get(n: limit + 1)
  for i in [1, 2] {
    call @put a.put(name: orElse(got.name, "none")) when got.ok and limit > i catch lost
  }
}
`;
    const { out } = await foreclaim("prove shown.eir --show facts", { files: { "shown.eir": text } });
    expect(out.slice(0, out.indexOf("\nshown.eir"))).toMatchInlineSnapshot(`
      "get  a.get(n: limit + 1)
        at shown.eir:5:3
      put[0]  a.put(name: if isSome(get.result.name) then value(get.result.name) else "none")
        when get.result.ok and 1 < limit
        fails when get.result.ok and 1 < limit and \`put[0]\`.failed
        at shown.eir:7:5
      put[1]  a.put(name: if isSome(get.result.name) then value(get.result.name) else "none")
        when get.result.ok and 2 < limit
        fails when get.result.ok and 2 < limit and \`put[1]\`.failed
        at shown.eir:7:5
      "
    `);
  });

  it("facts: that there are none", async () => {
    expect((await foreclaim("prove nothing.eir --show facts", { files: alone })).out).toMatch(
      /^the program makes no calls\n/,
    );
  });

  it("smt: that nothing was asked", async () => {
    expect((await foreclaim("prove helper.eir --show smt", { files: alone })).out).toMatch(
      /^; the solver was not asked/,
    );
  });
});
