/** Answers and notes: what they become, what contracts say of them, and who is about them. */
import { describe, expect, it } from "vitest";
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import { check, commandsIn, hashDocument, printCommand, printExpr } from "../../src/ir/index.ts";

const module = `import { answer, contract, coverage, flowsFrom, influencedBy, mayRead, tool, untrusted } from "foreclaim";
export const read = tool({ reads: true, source: "untrusted", run: async (): Promise<{ body: string; id: string }[]> => [] });
export const send = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const nothing = contract(() => true);
export const c = contract(() => CONTRACT);
export const policy = coverage({ whenUsed: [answer], required: [nothing], label: "told" });
`;

function compiled(body: string, { contract = "true", stated = "c" } = {}) {
  const files: Readonly<Record<string, string>> = {
    "tools/m.ts": module.replace("CONTRACT", contract),
    "p.ts": `import { program } from "foreclaim";
import * as m from "./tools/m";
export default program({ guarantees: [m.${stated}()], async run() { ${body} } });
`,
  };
  return compileProgram("p.ts", { readFile: (path) => files[path] });
}

function documentOf(body: string, options?: Parameters<typeof compiled>[1]) {
  const result = compiled(body, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  return result.value;
}

const told = (body: string) =>
  [...commandsIn(documentOf(body).document.program.body)]
    .filter((command) => command.kind === "call" && command.tool.startsWith("foreclaim."))
    .map((command) => printCommand(command).trim());

describe("a program's answer and notes", () => {
  it.each([
    ['return "a";', ['call foreclaim.answer(value: json("a"))']],
    [
      "return { a: 1, b: undefined, c: [1, null] };",
      ["call foreclaim.answer(value: json({ a: 1, c: [json(1), json(none)] }))"],
    ],
    ["return;", []],
    ['await m.send({ to: "x" });', []],
    ["return undefined;", []],
    ["return (await m.read())[0];", ["call foreclaim.answer(value: json(value(given))) when isSome(given)"]],
    ['console.log("a", 1, true, null);', ['call foreclaim.note(value: json("a 1 true null"))']],
    ['console.log("a", [1]);', ['call foreclaim.note(value: json([json("a"), json([json(1)])]))']],
    ["throw new Error();", []],
  ])("%s", (body, calls) => {
    expect(told(body)).toEqual(calls);
  });

  it("leaves programs without them as they were", () => {
    const { document } = documentOf('await m.send({ to: "x" }); return;');
    expect(document.tools.map(({ name }) => name)).toEqual(["m.send"]);
    expect(hashDocument(document)).toBe(hashDocument(documentOf('await m.send({ to: "x" });').document));
  });

  it("has the answer last", () => {
    const { document } = documentOf(
      'try { return "a"; } finally { await m.send({ to: "x" }); console.log("b"); }',
    );
    const tools = [...commandsIn(document.program.body)].flatMap((one) =>
      one.kind === "call" ? [one.tool] : [],
    );
    expect(tools).toEqual(["m.send", "foreclaim.note", "foreclaim.answer"]);
  });
});

describe("contracts over answers", () => {
  it.each([
    ["answer.none()", 'forall a in label "foreclaim.answer": false'],
    [
      'answer.all((a) => !flowsFrom(a.value, read, "body") && mayRead(a.value, "x"))',
      'forall a in label "foreclaim.answer": not flows(a.value, tool m.read field body) and mayRead(a.value, "x")',
    ],
    [
      "answer.none((a) => untrusted(a.value))",
      'forall a in label "foreclaim.answer": not flows(a.value, untrusted)',
    ],
    [
      "answer.none((a) => influencedBy(a, read))",
      'forall a in label "foreclaim.answer": not influenced(a, tool m.read)',
    ],
    ["answer.count() <= 1", 'count(a in label "foreclaim.answer") <= 1'],
    ["send.before(answer)", 'forall a in label "foreclaim.answer": exists s in m.send: precedes(s, a)'],
  ])("%s", (contract, formula) => {
    const [guarantee] = documentOf('await m.send({ to: "x" });', { contract }).document.guarantees;
    expect(guarantee?.formula && printExpr(guarantee.formula)).toBe(formula);
    const tools = compileTools(["tools/m.ts"], { readFile: () => module.replace("CONTRACT", contract) });
    expect(tools.ok && tools.value.tools.map(({ name }) => name)).toContain("foreclaim.answer");
  });

  it.each([
    ["answer.all((a) => a.text === undefined)", "FC2310"],
    ["read.none((r) => flowsFrom(r, answer))", "FC2207"],
  ])("%s is refused", (contract, code) => {
    const result = compiled("return 1;", { contract });
    expect(result.ok ? "" : result.problems[0]?.code).toContain(code);
  });

  it("are not for programs", () => {
    const files: Readonly<Record<string, string>> = {
      "tools/m.ts": module.replace("CONTRACT", "true"),
      "p.ts": `import { answer, program } from "foreclaim";
import * as m from "./tools/m";
export default program({ guarantees: [m.c()], async run() { if (answer.some()) return 1; } });
`,
    };
    const result = compileProgram("p.ts", { readFile: (path) => files[path] });
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(["FC2208"]);
  });

  it.each([
    ["return 1;", ["told"]],
    ["console.log(1);", ["told"]],
    ['await m.send({ to: "x" });', []],
  ])("coverage about answers: %s", (body, labels) => {
    expect(documentOf(body).used.map(({ policy }) => policy.label)).toEqual(labels);
  });
});

it("a document that is compiled is one that can be read again", () => {
  const { document } = documentOf('console.log("a"); return { a: 1 };', { contract: "answer.none()" });
  expect(check(document).ok).toBe(true);
});

it("a module cannot pass for Foreclaim", () => {
  const files: Readonly<Record<string, string>> = {
    "tools/foreclaim.ts": `import { contract, tool } from "foreclaim";
export const answer = tool({ run: async ({ value }: { value: string }): Promise<void> => {} });
export const c = contract(() => true);
`,
    "p.ts": `import { program } from "foreclaim";
import * as own from "./tools/foreclaim";
export default program({ guarantees: [own.c()], async run() { await own.answer({ value: "x" }); } });
`,
  };
  const result = compileProgram("p.ts", { readFile: (path) => files[path] });
  expect(result.ok ? "" : result.problems[0]?.message).toContain("reserves");
});
