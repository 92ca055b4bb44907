/** Findings in tool modules, each gone once it is fixed. */
import { afterAll, describe, expect, it } from "vitest";
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import { type Expr, parseExpr } from "../../src/ir/index.ts";
import { lintGuarantees, lintModules, lintRules } from "../../src/lint/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = {
  solver: async () => solver,
  limits: { timeoutMs: 5_000, resources: 5_000_000 },
  quick: true,
};

const head = `import { contract, coverage, fluent, pathInside, tool, urlInside } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const pay = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {},
});
export const write = tool({ run: async ({ path }: { path: string }): Promise<void> => {} });
export const fetch = tool({ run: async ({ url }: { url: string }): Promise<string> => "" });
`;

function compiled(text: string) {
  const files = new Map([["tools/t.ts", head + text]]);
  const result = compileTools(["tools/t.ts"], { readFile: (path) => files.get(path) });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

describe("modules", () => {
  it.each([
    ["FC5201", "export const c = contract(() => pay.all((p) => p.amount >= 0));", "p.amount > 0"],
    ["FC5201", "export const c = contract((n: number) => pay.count() + n >= n);", "pay.count() + n >= 2"],
    ["FC5202", "export const c = contract(() => pay.count() < 0);", "pay.count() < 1"],
    ["FC5202", "export const c = contract(() => pay.some((p) => p.amount < 0));", "p.amount > 0"],
    ["FC5203", "export const c = contract((n: number) => pay.count() <= 3);", "pay.count() <= n"],
    [
      "FC5203",
      "export const c = contract((n: number) => pay.count() <= 3 && (n <= 0 || n > 0));",
      "pay.count() <= n",
    ],
    [
      "FC5203",
      "export const c = contract((n: number) => pay.count() <= 3 || (pay.count() <= n && pay.none()));",
      "pay.count() < n",
    ],
    [
      "FC5204",
      'export const c = contract(() => write.all((w) => w.path.startsWith("/srv/x")));',
      'pathInside(w.path, "/srv/x")',
    ],
    [
      "FC5204",
      "export const c = contract((r: string) => write.all((w) => w.path.startsWith(r)));",
      "pathInside(w.path, r)",
    ],
    [
      "FC5204",
      'export const c = contract(() => fetch.all((f) => f.url.startsWith("https://a.org")));',
      'urlInside(f.url, "https://a.org")',
    ],
    [
      "FC5204",
      'export const t = tool({ requires: ({ file }) => file.startsWith("/tmp/"), run: async ({ file }: { file: string }): Promise<void> => {} });',
      'file.startsWith("/")',
    ],
    [
      "FC5211",
      "export const t = tool({ requires: ({ n }) => n > 3 && n < 2, run: async ({ n }: { n: number }): Promise<void> => {} });",
      "n > 3 && n < 5",
    ],
    [
      "FC5211",
      'export const t = tool({ requires: () => open.get("x"), run: async (): Promise<void> => {} });',
      '!open.get("x")',
    ],
    [
      "FC5212",
      "export const t = tool({ ensures: (n) => n > 3 && n < 2, run: async (): Promise<number> => 1 });",
      "n > 1 && n < 3",
    ],
    [
      "FC5221",
      "export const none = contract(() => pay.none());\nexport const p = coverage({ whenUsed: [pay], required: [none] });",
      "pay.none((p) => p.amount > 9)",
    ],
    [
      "FC5221",
      'export const a = contract((to: string) => pay.all((p) => p.to === to));\nexport const p = coverage({ whenUsed: [pay], required: [a("x"), a("y")] });',
      "p.to !== to",
    ],
  ] as const)("%s: %s", async (code, text, mend) => {
    const found = await lintModules(compiled(text), () => true, { ...options, quick: false });
    expect(found.findings.map((one) => one.code)).toEqual([code]);
    const mended = text.replace(wrongPart(code, text, mend), mend);
    expect(mended).not.toBe(text);
    const left = await lintModules(compiled(mended), () => true, options);
    expect(left.findings).toEqual([]);
  });

  const asWritten = [
    "w.path.startsWith(r + '/')",
    `w.path.startsWith(\`\${r}/\`)`,
    "w.path.toLowerCase().startsWith(r)",
    "w.path.indexOf(r) === 0",
    "w.path.slice(0, r.length) === r",
    "/^\\/srv\\/data\\//.test(w.path) && r !== ''",
    "/^\\/srv\\/.*$/.test(w.path) && r !== ''",
    "['/a/b', '/c/d'].some((one) => w.path.startsWith(one)) && r !== ''",
  ];
  it.each(asWritten)("FC5204, however it is written: %s", async (body) => {
    const text = `export const c = contract((r: string) => write.all((w) => ${body}));`;
    const found = await lintModules(compiled(text), () => true, options);
    expect(found.findings.map((one) => one.code)).toEqual(["FC5204"]);
    const also = text.replace(body, `${body} && !w.path.includes("..")`);
    expect((await lintModules(compiled(also), () => true, options)).findings).toEqual([]);
  });

  it.each([
    "/^\\/srv\\/[a-z]+$/.test(w.path) && r !== ''",
    "/^[a-z]+/.test(w.path) && r !== ''",
    "w.path.indexOf(r) === 3",
    "w.path.slice(1, 3) === r",
    "w.path.startsWith('~') && r !== ''",
  ])("no FC5204: %s", async (body) => {
    const text = `export const c = contract((r: string) => write.all((w) => ${body}));`;
    expect((await lintModules(compiled(text), () => true, options)).findings).toEqual([]);
  });

  it("leaves alone what promises nothing on purpose, and what could not be decided", async () => {
    const text = `export const nothing = contract(() => true);
export const odd = contract(() => pay.sum((p) => p.amount * p.amount) >= pay.count() * 2);`;
    const found = await lintModules(compiled(text), () => true, options);
    expect(found.findings).toEqual([]);
  });
});

/** The part of the module that the mended one stands for. */
function wrongPart(code: string, text: string, mend: string): string {
  const parts = [
    "p.amount >= 0",
    "pay.count() + n >= n",
    "pay.count() < 0",
    "p.amount < 0",
    "pay.count() <= 3",
    /[wf]\.(?:path|url)\.startsWith\([^)]*\)/.exec(text)?.[0],
    'file.startsWith("/tmp/")',
    "n > 3 && n < 2",
    'open.get("x")',
    "pay.none()",
    "p.to === to",
  ];
  const found = parts.find((part) => part !== undefined && text.includes(part));
  if (found === undefined) throw new Error(`nothing in ${text} of ${code} to be ${mend}`);
  return found;
}

describe("approval policies", () => {
  const text = `export const max = contract((n: number) => pay.sum((p) => p.amount) <= n);
export const only = contract((to: string) => pay.all((p) => p.to === to));
export const some = contract(() => pay.some());
export const none = contract(() => pay.none());
export const idle = contract(() => pay.all((p) => p.amount >= 0));`;
  const layer = compiled(text);
  const files = new Map([["tools/t.ts", head + text]]);
  const formulaOf = (clause: string): Expr => {
    const source = `import { program } from "foreclaim"; import * as t from "./tools/t"; export default program({ guarantees: [${clause}], async run() {} });`;
    const host = { readFile: (path: string) => (path === "p.ts" ? source : files.get(path)) };
    const result = compileProgram("p.ts", host);
    const formula = result.ok ? result.value.document.guarantees[0]?.formula : undefined;
    if (formula === undefined) throw new Error(clause);
    return formula;
  };
  const rule = (
    decision: "auto_approved" | "auto_rejected",
    when: "whenProven" | "unlessProven",
    ...clauses: string[]
  ) => ({
    name: `${decision} ${clauses.join(", ")}`,
    decision,
    when,
    clauses: clauses.map((clause) => ({ text: clause, formula: formulaOf(clause) })),
  });

  it("tells what was not decided", async () => {
    // Where a value came from is said of one program, and not of traces.
    const read = parseExpr("forall p in t.pay: not flows(p.to, tool t.fetch)");
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const clause = { text: "t.odd()", formula: read.value.expr };
    const set = await lintGuarantees([clause], layer, options);
    expect(set.findings).toEqual([]);
    expect(set.undecided.map(({ about, message }) => [about, message.replace(/: .*/, "")])).toEqual([
      [{ kind: "guarantee", index: 0 }, "whether `t.odd()` holds on every trace"],
      [{ kind: "guarantee", index: 0 }, "whether `t.odd()` holds on no trace"],
    ]);
    const rules = [{ ...rule("auto_approved", "whenProven"), name: "odd", clauses: [clause] }];
    const found = await lintRules(rules, layer, options);
    expect(found.findings).toEqual([]);
    expect(found.undecided.map(({ message }) => message.replace(/: .*/, ""))).toEqual([
      "whether `t.odd()` holds on every trace",
      "whether `odd` can decide",
    ]);
  });

  it.each([
    ["FC5231", [rule("auto_approved", "whenProven", "t.some()", "t.none()")]],
    [
      "FC5232",
      [rule("auto_approved", "whenProven", "t.none()"), rule("auto_rejected", "whenProven", "t.max(5)")],
    ],
    [
      "FC5232",
      [rule("auto_approved", "whenProven", "t.some()"), rule("auto_rejected", "unlessProven", "t.none()")],
    ],
    ["FC5233", [rule("auto_approved", "whenProven", "t.idle()")]],
    [
      undefined,
      [rule("auto_approved", "whenProven", "t.max(9)"), rule("auto_rejected", "whenProven", "t.max(5)")],
    ],
    [
      undefined,
      [rule("auto_approved", "whenProven", 't.only("x")'), rule("auto_rejected", "unlessProven", "t.max(5)")],
    ],
  ] as const)("%s", async (code, rules) => {
    const found = await lintRules(rules, layer, options);
    expect(found.findings.map((one) => one.code)).toEqual(code === undefined ? [] : [code]);
  });
});
