/** Coverage is a matter of what is called and stated: how a program is written, and in which order, changes nothing. */
import { afterAll, expect, it } from "vitest";
import { coverageOf } from "../../src/coverage/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = { solver: async () => solver, limits: { timeoutMs: 20_000, resources: 20_000_000 } };

const tools = `import { contract, coverage, tool } from "foreclaim";
export const one = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const two = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const three = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const fewOnes = contract((n: number) => one.count() <= n);
export const fewTwos = contract((n: number) => two.count() <= n);
export const distinctOnes = contract(() => one.distinct((e) => e.to));
export const noThrees = contract(() => three.none((e) => e.to === ""));
export const toAll = contract(() => two.all((e) => e.to !== ""));
export const nothing = contract(() => true);
export const ones = coverage({ whenUsed: [one], recommended: [fewOnes(9), distinctOnes], label: "ones" });
export const twos = coverage({ whenUsed: [two], recommended: [fewTwos], required: [toAll], label: "twos" });
export const threes = coverage({ whenUsed: [three, two], required: [noThrees], label: "threes" });
`;

const statements = [
  "t.nothing()",
  "t.fewOnes(9)",
  "t.fewOnes(1)",
  "t.fewTwos(4)",
  "t.distinctOnes()",
  "t.noThrees()",
];

/** A call of a tool, written in many ways; \`i\` keeps names apart. */
const forms: readonly ((tool: string, to: string, i: number) => string)[] = [
  (tool, to) => `await t.${tool}({ to: "${to}" });`,
  (tool, to, i) => `const f${i} = t.${tool}; await f${i}({ to: "${to}" });`,
  (tool, to, i) => `const { ${tool}: p${i} } = t; await p${i}({ to: "${to}" });`,
  (tool, to, i) => `const m${i} = t; await m${i}.${tool}({ to: "${to}" });`,
  (tool, to) => `await t["${tool}"]({ to: "${to}" });`,
  (tool, to, i) =>
    `const h${i} = async (x: string) => { await t.${tool}({ to: x }); }; await h${i}("${to}");`,
  (tool, to, i) => `const o${i} = { go: t.${tool} }; await o${i}.go({ to: "${to}" });`,
  (tool, to, i) => `for (const x${i} of ["${to}"]) await t.${tool}({ to: x${i} });`,
  (tool, to, i) =>
    `const c${i} = async (g: typeof t.${tool}) => { await g({ to: "${to}" }); }; await c${i}(t.${tool});`,
  (tool, to) => `{ const x = "${to}"; await t.${tool}({ to: x }); }`,
  (tool, to, i) => `await named_${tool}({ to: "${to}" }); const n${i} = 0;`,
];

/** A call that is in the text and in no run. */
const deadForms: readonly ((tool: string, i: number) => string)[] = [
  (tool) => `if (false) { await t.${tool}({ to: "x" }); }`,
  (tool, i) => `const d${i} = async () => { await t.${tool}({ to: "x" }); };`,
  (tool, i) => `const e${i} = t.${tool}; if (1 > 2) { await e${i}({ to: "x" }); }`,
  (tool) => `for (const x of [] as string[]) { await t.${tool}({ to: x }); }`,
  (tool, i) => `const { ${tool}: k${i} } = t; false && (await k${i}({ to: "x" }));`,
];

function chance(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function coverageIn(body: readonly string[], stated: readonly string[]) {
  const files = new Map([
    ["tools/t.ts", tools],
    [
      "program.ts",
      `import { program } from "foreclaim";
import * as t from "./tools/t";
import { one as named_one, two as named_two, three as named_three } from "./tools/t";
export default program({ guarantees: [${stated.join(", ")}], async run() {
${body.join("\n")}
} });`,
    ],
  ]);
  const result = compileProgram("program.ts", { readFile: (path) => files.get(path) });
  if (!result.ok) throw new Error(`${JSON.stringify(result.problems[0])}\n${files.get("program.ts")}`);
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const proof = await prove(checked.value, options);
  return coverageOf(result.value.document, proof, result.value.used, options);
}

it("is the same in every order and however calls are written, in dead code as well", async () => {
  const from = seed() ?? 4_711;
  const pick = chance(from);
  const names = ["one", "two", "three"] as const;
  const statuses = new Set<string>();
  for (let round = 0; round < runs(40); round++) {
    const called = Array.from({ length: pick(3) }, (_, i) => ({
      tool: names[pick(3)] ?? "one",
      to: `a${i}`,
    }));
    const dead = Array.from({ length: pick(3) }, () => names[pick(3)] ?? "one");
    const stated = statements.filter(() => pick(3) === 0);
    if (stated.length === 0) stated.push("t.nothing()");
    const written = () => {
      const lines = [
        ...called.map(({ tool, to }, i) => forms[pick(forms.length)]?.(tool, to, i) ?? ""),
        ...dead.map((tool, i) => deadForms[pick(deadForms.length)]?.(tool, i) ?? ""),
      ];
      return lines
        .map((line) => ({ line, at: pick(1_000_000) }))
        .sort((a, b) => a.at - b.at)
        .map(({ line }) => line);
    };
    const plain = called.map(({ tool, to }) => `await t.${tool}({ to: "${to}" });`);
    const expected = await coverageIn(
      [...plain, ...dead.map((tool) => `if (false) { await t.${tool}({ to: "x" }); }`)],
      stated,
    );
    for (const { status } of expected) statuses.add(status);
    const uses = new Set([...called.map(({ tool }) => tool), ...dead]);
    const domains = [
      ...(uses.has("one") ? ["ones"] : []),
      ...(uses.has("two") ? ["twos"] : []),
      ...(uses.has("two") || uses.has("three") ? ["threes"] : []),
    ];
    expect(expected.map(({ domain }) => domain)).toEqual(domains);
    for (let i = 0; i < 3; i++) {
      const body = written();
      expect(await coverageIn(body, stated), `seed ${from}, round ${round}: ${body.join(" ")}`).toEqual(
        expected,
      );
    }
  }
  expect(statuses.size).toBeGreaterThan(Math.min(2, atLeast(2)));
});
