/** Proofs about programs that read the clock or draw: what every reading may be is taken into account, and no more. */
import { afterAll, describe, expect, it } from "vitest";
import { checkCertificate } from "../../src/certificate/index.ts";
import { describeCall } from "../../src/explain/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check } from "../../src/ir/index.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const limits = { timeoutMs: 20_000, resources: 5_000_000 };

const module = `import { answer, contract, flowsFrom, tool } from "foreclaim";
export const put = tool({ run: async ({ n }: { n: number }): Promise<void> => {} });
export const look = tool({ run: async (): Promise<number> => 0 });
export const between = contract((least: number, most: number) => put.all((p) => p.n >= least && p.n <= most));
export const atMost = contract((most: number) => put.count() <= most);
export const silent = contract(() => answer.none((a) => flowsFrom(a.value, look)));
`;

function checkedOf(guarantee: string, body: string): Checked {
  const files: Readonly<Record<string, string>> = {
    "p.ts": `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [${guarantee}], async run() { ${body} } });`,
    "tools/t.ts": module,
  };
  const compiled = compileProgram("p.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
}

async function verdictOf(checked: Checked) {
  const proof = await prove(checked, { solver: async () => solver, limits });
  const [guarantee] = proof.guarantees;
  if (guarantee === undefined) throw new Error("nothing is stated");
  return guarantee.verdict;
}

const pause = "await new Promise((resolve) => setTimeout(resolve, 500));";

describe("is proved", () => {
  it.each([
    [
      "time does not go back",
      "t.between(0, 1e15)",
      `const a = Date.now(); ${pause} await t.put({ n: Date.now() - a });`,
    ],
    [
      "not even on one path",
      "t.between(0, 1e15)",
      "const a = Date.now(); if ((await t.look()) > 0) await t.put({ n: Date.now() - a });",
    ],
    [
      "nor in a loop",
      "t.between(0, 1e15)",
      "const a = Date.now(); for (let i = 0; i < 3; i++) await t.put({ n: Date.now() - a });",
    ],
    ["the clock has a range", "t.between(946684800000, 253402300799999)", "await t.put({ n: Date.now() });"],
    ["a die has six sides", "t.between(1, 6)", "await t.put({ n: 1 + Math.floor(Math.random() * 6) });"],
    ["a pause is no call", "t.atMost(1)", `await t.put({ n: 1 }); ${pause}`],
    [
      "a reading carries no data",
      "t.silent()",
      "await t.look(); return { at: new Date(), luck: Math.random() };",
    ],
    [
      "a reading cannot fail",
      "t.atMost(0)",
      "try { Date.now(); Math.random(); } catch { await t.put({ n: 1 }); }",
    ],
  ])("%s", async (_, guarantee, body) => {
    const checked = checkedOf(guarantee, body);
    expect(await verdictOf(checked)).toMatchObject({ kind: "proved" });
  });

  it("with a certificate", async () => {
    const checked = checkedOf(
      "t.between(0, 1e15)",
      `const a = Date.now(); ${pause} await t.put({ n: Date.now() - a }); await t.put({ n: Math.random() });`,
    );
    const real = await replayerOf(solver);
    const made = await certify(checked, async () => real);
    if (made.kind !== "certified") throw new Error(made.why);
    const checking = await checkCertificate(made.text, { solvers: async () => [real] });
    expect(checking.kind).toBe("valid");
  });
});

describe("is refuted", () => {
  it.each([
    [
      "that no time passes",
      "t.between(0, 1000)",
      `const a = Date.now(); ${pause} await t.put({ n: Date.now() - a });`,
    ],
    [
      "that two readings in one loop differ",
      "t.between(1, 1e15)",
      "const a = Date.now(); await t.put({ n: Date.now() - a });",
    ],
    [
      "that a die has five sides",
      "t.between(1, 5)",
      "await t.put({ n: 1 + Math.floor(Math.random() * 6) });",
    ],
    ["that rounding stays below", "t.between(0, 9)", "await t.put({ n: Math.round(Math.random() * 10) });"],
    [
      "that two draws are one",
      "t.between(0, 0)",
      "const a = Math.random(); await t.put({ n: a - Math.random() });",
    ],
    ["that it is still this year", "t.between(0, 2026)", "await t.put({ n: new Date().getUTCFullYear() });"],
  ])("%s", async (_, guarantee, body) => {
    const verdict = await verdictOf(checkedOf(guarantee, body));
    if (verdict.kind !== "refuted") throw new Error(JSON.stringify(verdict));
    const words = verdict.run.trace.map((entry) => describeCall(entry));
    expect(words.some((one) => /^the clock says \d{4}-\d\d-\d\dT|^chance gives /.test(one))).toBe(true);
  });
});
