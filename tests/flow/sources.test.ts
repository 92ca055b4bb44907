/** Programs as agents write them: what gets through helpers, loops, maps and text, and what does not come in. */
import { describe, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/check/index.ts";
import type { Source } from "../../src/ir/document.ts";
import { flowOf } from "../../src/ir/flow/flow.ts";
import { nodesOf } from "../../src/ir/flow/shape.ts";

const tools = `
import { contract, tool } from "foreclaim";
export interface Mail { from: string; subject: string; body: string; tags: string[] }
export const fetch = tool({ reads: true, stores: ["mail"], source: "untrusted", run: async (): Promise<Mail[]> => [] });
export const read = tool({ reads: true, stores: ["drive"], run: async ({ name }: { name: string }): Promise<string> => "" });
export const write = tool({ stores: ["drive"], run: async ({ name, text }: { name: string; text: string }): Promise<void> => {} });
export const find = tool({ reads: true, stores: [], run: async ({ name }: { name: string }): Promise<string | null> => null });
export const clean = tool({ reads: true, stores: [], endorses: "untrusted", run: async ({ text }: { text: string }): Promise<string> => "" });
export const send = tool({ stores: ["mail"], run: async ({ to, body }: { to: string; body: string }): Promise<void> => {} });
export const nothing = contract(() => true);
`;

/**
 * Returns the arguments of all calls of \`send\` that carry data of the mails, and whether the mails decide the
 * calls.
 */
function saidOf(
  body: string,
  top = "",
): { readonly to: boolean; readonly body: boolean; readonly call: boolean } {
  const source = `import { program } from "foreclaim";
import * as t from "./tools/t";
${top}
export default program({
  guarantees: [t.nothing()],
  async run({ me, limit }: { me: string; limit: number }) {
    ${body}
  },
});
`;
  const files: Record<string, string> = { "program.ts": source, "tools/t.ts": tools };
  const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => message).join("\n"));
  const flow = flowOf(checked.value);
  const from: Source = { kind: "untrusted" };
  const sends = [...flow.program.calls.values()].filter(({ tool }) => tool.name === "t.send");
  const carries = (name: string) =>
    sends.some(({ args }) => {
      const field = args.fields.get(name);
      return field !== undefined && flow.into(nodesOf(field.value), from) !== undefined;
    });
  const call = sends.some(({ id }) => flow.influenced(id, from) !== undefined);
  return { to: carries("to"), body: carries("body"), call };
}

const mails = "const mails = await t.fetch();";

describe("what comes in", () => {
  test.each<[what: string, body: string, top?: string]>([
    [
      "a helper",
      `${mails} await t.send({ to: me, body: short(mails[0]?.body ?? "") });`,
      "const short = (s: string) => s.slice(0, 5);",
    ],
    [
      "a helper with calls of its own",
      `${mails} for (const m of mails) await forward(m.body);`,
      'async function forward(text: string) { await t.send({ to: "a", body: text }); }',
    ],
    ["a template", `${mails} await t.send({ to: me, body: \`\${mails.length} mails\` });`],
    [
      "a Map",
      `${mails} const m = new Map<string, string>(); for (const x of mails) m.set(x.from, x.body); await t.send({ to: me, body: m.get(me) ?? "" });`,
    ],
    [
      "a Map's size",
      `${mails} const m = new Map<string, number>(); for (const x of mails) m.set(x.from, 1); await t.send({ to: me, body: String(m.size) });`,
    ],
    [
      "a Set",
      `${mails} const s = new Set<string>(); for (const x of mails) s.add(x.from); await t.send({ to: me, body: s.has("bob") ? "1" : "0" });`,
    ],
    [
      "text that is joined",
      `${mails} const out: string[] = []; for (const x of mails) out.push(x.subject); await t.send({ to: me, body: out.join(",") });`,
    ],
    ["reduce", `${mails} await t.send({ to: me, body: mails.reduce((a, m) => a + m.body, "") });`],
    [
      "a loop that is left early",
      `${mails} let hit = "none"; for (const m of mails) { if (m.subject === "x") { hit = "some"; break; } } await t.send({ to: me, body: hit });`,
    ],
    [
      "an early return",
      `${mails} if (mails.length === 0) return; await t.send({ to: me, body: "there is mail" });`,
    ],
    [
      "a switch",
      `${mails} switch (mails[0]?.subject) { case "a": await t.send({ to: me, body: "1" }); break; default: await t.send({ to: me, body: "2" }); }`,
    ],
    [
      "a failure that is caught",
      `${mails} let text = "fine"; try { await t.find({ name: mails[0]?.body ?? "" }); } catch { text = "bad"; } await t.send({ to: me, body: text });`,
    ],
    [
      "a file",
      `${mails} await t.write({ name: "a", text: mails[0]?.body ?? "" }); await t.send({ to: me, body: await t.read({ name: "a" }) });`,
    ],
    [
      "a file that is written or not",
      `${mails} if (mails.length > 3) await t.write({ name: "a", text: "" }); await t.send({ to: me, body: await t.read({ name: "a" }) });`,
    ],
    ["an index", `${mails} await t.send({ to: me, body: ["a", "b", "c"][mails.length] ?? "" });`],
    [
      "a counter",
      `${mails} let n = 0; for (const m of mails) if (m.body.includes("1")) n += 1; await t.send({ to: me, body: String(n) });`,
    ],
    [
      "destructuring",
      `${mails} const [first] = mails; const { body } = first ?? { body: "" }; await t.send({ to: me, body });`,
    ],
    [
      "a spread",
      `${mails} const o = { a: "", ...{ b: mails[0]?.body ?? "" } }; await t.send({ to: me, body: o.b });`,
    ],
    [
      "a while loop",
      `${mails} let i = 0; while (i < mails.length && i < 10) { i++; } await t.send({ to: me, body: String(i) });`,
    ],
  ])("through %s", (_, body, top) => {
    expect(saidOf(body, top).call).toBe(true);
  });
});

describe("what does not", () => {
  test.each<[what: string, body: string, said: Partial<ReturnType<typeof saidOf>>]>([
    ["a call before", `await t.send({ to: me, body: "x" }); ${mails}`, { call: false }],
    ["a call beside", `${mails} await t.send({ to: me, body: "x" });`, { call: false }],
    [
      "a recipient that is given",
      `${mails} for (const m of mails) await t.send({ to: me, body: m.body });`,
      { to: false, body: true },
    ],
    [
      "a text that is written out",
      `${mails} for (const m of mails) await t.send({ to: m.from, body: "got it" });`,
      { to: true, body: false },
    ],
    [
      "another field",
      `${mails} const o = { text: mails[0]?.body ?? "", to: me }; await t.send({ to: o.to, body: o.text });`,
      { to: false, body: true },
    ],
    [
      "what was endorsed",
      `${mails} const text = await t.clean({ text: mails.map((m) => m.body).join(",") }); await t.send({ to: me, body: text });`,
      { call: false },
    ],
    [
      "a file that has nothing to do with it",
      `${mails} await t.write({ name: "a", text: me }); await t.send({ to: me, body: await t.read({ name: "a" }) });`,
      { call: false },
    ],
    [
      "what was found for another reason",
      `${mails} const a = await t.find({ name: me }); if (a !== null) await t.send({ to: a, body: "x" });`,
      { call: false },
    ],
    [
      "a loop over something else",
      `${mails} for (let i = 0; i < 3; i++) await t.send({ to: me, body: String(i) });`,
      { call: false },
    ],
    [
      "a try around it",
      `${mails} try { await t.send({ to: me, body: "x" }); } catch { await t.send({ to: me, body: "y" }); }`,
      { call: false },
    ],
  ])("%s", (_, body, said) => {
    expect(saidOf(body)).toMatchObject(said);
  });
});
