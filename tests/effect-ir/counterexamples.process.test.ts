/**
 * A counterexample is a run that somebody can make: its inputs are JSON, its tools return JavaScript values, and in the run
 * that is made of them the guarantee breaks. What only other values would break is unknown, and never proved.
 */
import { afterAll, describe, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { toJs } from "../../src/ir/convert/to-js.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { type Checked, check, isTold, readDocument, readInputs, readJson, run } from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import type { GuaranteeProof, Verdict } from "../../src/prove/verdict.ts";
import { Source } from "../frontend/arbitrary-source.ts";
import { labModule, sourceOf } from "../frontend/lab.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 5_000, resources: 2_000_000 };

const checkedOf = (text: string): Checked => {
  const read = readDocument(`effect-ir 1\ntool a.b(n: real)\ntool a.i(n: int)\ntool a.s(s: string)\n${text}`);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.value.checked;
};

async function verdictOf(checked: Checked): Promise<Verdict> {
  const proof = await prove(checked, { solver: async () => solver, limits });
  const [first] = proof.guarantees;
  if (first === undefined) throw new Error("a guarantee was expected");
  if (first.verdict.kind === "refuted") expect(await breaks(checked, first)).toBe("violated");
  return first.verdict;
}

/** Makes the run of a counterexample as a person would: from a JSON text, and with handlers. */
async function breaks(
  checked: Checked,
  { guarantee, verdict }: GuaranteeProof,
  integers: "number" | "bigint" = "number",
): Promise<string> {
  if (verdict.kind !== "refuted" || guarantee.formula === undefined) throw new Error("not refuted");
  const { inputs, trace, resolution, initial } = verdict.run;
  const data = plain(toJs(inputs, recordOf(checked.document.program.inputs), { integers }));
  const text = JSON.stringify(data, (_, value) => (typeof value === "bigint" ? `big ${value}` : value));
  const json = readJson(text.replace(/"big (-?\d+)"/g, "$1"));
  const read = json.ok ? readInputs(checked, json.value.value) : json;
  if (!read.ok) return `the inputs ${text}: ${read.problems[0]?.message}`;
  // Answers and notes are in the trace, and no tool is called for them. Readings and pauses have handlers.
  const called = trace.filter(({ tool }) => !isTold(tool));
  let position = 0;
  const handler = {
    integers,
    run: (): unknown => {
      const entry = called[position++];
      const type = checked.tools.get(entry?.tool ?? "")?.result;
      if (entry?.outcome.kind === "failed") throw new Error(entry.outcome.reason);
      if (entry?.outcome.kind !== "returned") throw new Error("it fails here");
      return (
        type && entry.outcome.result !== undefined && plain(toJs(entry.outcome.result, type, { integers }))
      );
    },
  };
  const tools = new Map(checked.document.tools.map(({ name }) => [name, handler]));
  const made = await run(checked, { inputs: read.value, tools, ...(initial && { initial }) });
  if (made.outcome.kind === "stopped") return made.outcome.problem.message;
  return judge(checked, guarantee.formula, {
    inputs: read.value,
    trace: made.trace,
    ...(initial && { initial }),
    ...(resolution && { resolution }),
  }).kind;
}

function plain(converted: ReturnType<typeof toJs>): unknown {
  if (!converted.ok) throw new Error(converted.problems[0]?.message);
  return converted.value;
}

describe("a guarantee that only values break which no run can pass is unknown", () => {
  test.each([
    [
      "one third as an input",
      "program (x: real) { call a.b(n: x) }\nguarantee g.h(): forall c in a.b: c.n * 3 != 1",
      "no number equals `1/3`",
    ],
    [
      "one third as a result",
      "tool a.r() -> real\nprogram () { let r = call a.r()\n call a.b(n: r) }\nguarantee g.h(): forall c in a.b: c.n * 3 != 1",
      "no number equals `1/3`",
    ],
    [
      "one third as an argument",
      "program (x: real) { call a.b(n: x / 3) when x == 1 }\nguarantee g.h(): count(c in a.b) == 0",
      "no number equals `1/3`",
    ],
    [
      "one third in a list of the run",
      "program (l: list<real>) { for x in l { call a.b(n: x) } }\nguarantee g.h(): forall c in a.b: c.n * 3 != 1",
      "",
    ],
    [
      "a text that is too long",
      "program (s: string) { call a.s(s: s) when length(s) > 1000000 }\nguarantee g.h(): count(c in a.s) == 0",
      "",
    ],
    [
      "a tool that can return nothing",
      "tool a.r() -> real\n  ensures result * 3 == 1\nprogram () { call a.r()\n call a.b(n: 1) }\nguarantee g.h(): count(c in a.b) == 0",
      "no number equals `1/3`",
    ],
  ])("%s", async (_, text, why) => {
    const verdict = await verdictOf(checkedOf(text));
    expect(verdict).toMatchObject({ kind: "unknown", why: expect.stringContaining(why) });
  });
});

describe("another value is found where the first one cannot be passed", () => {
  test.each([
    [
      "a fraction",
      "program (x: real) { call a.b(n: x) }\nguarantee g.h(): forall c in a.b: c.n * 3 < 1000 or c.n * 7 > 2400",
    ],
    [
      "an argument that is one",
      "program (x: real) { call a.b(n: x / 3) when x > 10 }\nguarantee g.h(): forall c in a.b: c.n < 4",
    ],
    [
      "of two results",
      "tool a.r() -> real\nprogram () { let p = call a.r()\n let q = call a.r()\n call a.b(n: p / 7 + q / 3) }\nguarantee g.h(): sum(c in a.b: c.n) <= 5",
    ],
    [
      "an integer",
      "program (x: int) { call a.i(n: x) }\nguarantee g.h(): forall c in a.i: c.n < 9007199254740991",
    ],
  ])("%s", async (_, text) => {
    expect((await verdictOf(checkedOf(text))).kind).toBe("refuted");
  });

  test("and a big integer is passed as one where nothing else breaks it", async () => {
    const checked = checkedOf(
      "program (x: int) { call a.i(n: x) }\nguarantee g.h(): forall c in a.i: c.n < 9007199254740993",
    );
    const proof = await prove(checked, { solver: async () => solver, limits });
    const [first] = proof.guarantees;
    expect(first?.verdict.kind).toBe("refuted");
    if (first !== undefined) expect(await breaks(checked, first, "bigint")).toBe("violated");
  });
});

const contracts = `
export const puts = contract((n: number) => put.count() <= n);
export const small = contract((n: number) => put.all((p) => p.n * 3 <= n));
export const total = contract((n: number) => put.sum((p) => p.n / 7) <= n);
export const unsaid = contract((text: string) => say.none((s) => s.text === text));
export const saidOnce = contract(() => say.distinct((s) => s.text));
`;
const module = `${labModule}${contracts}`;
const guarantees = ["lab.puts(1)", "lab.small(1)", "lab.total(0)", 'lab.unsaid("a")', "lab.saidOnce()"];

test("of random programs, every counterexample breaks its guarantee when it is run", async () => {
  let refuted = 0;
  const first = (seed() ?? 1) % 1_000_000;
  const programs = runs(5);
  for (let i = 0; i < programs; i++) {
    const source = sourceOf(new Source(first + i).program()).replace("lab.nothing()", guarantees.join(", "));
    const files: Record<string, string> = { "program.ts": source, "tools/lab.ts": module };
    const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
    if (!compiled.ok) continue;
    const checked = check(compiled.value.document);
    if (!checked.ok) throw new Error("it does not check");
    const proof = await prove(checked.value, {
      solver: async () => solver,
      limits: { timeoutMs: 5_000, resources: 50_000 },
      // What likely values find, the solver need not be asked.
      ...(i % 2 === 1 && { likely: "omitted" }),
    });
    for (const one of proof.guarantees) {
      if (one.verdict.kind !== "refuted") continue;
      refuted++;
      expect(await breaks(checked.value, one), source).toBe("violated");
    }
  }
  process.stderr.write(`${programs} programs from seed ${first}: ${refuted} counterexamples\n`);
  expect(refuted).toBeGreaterThan(atLeast(5));
});
