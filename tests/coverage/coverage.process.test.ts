/** The four statuses, what is entailed, and that nothing is said to be which some trace shows not to be. */
import { afterAll, describe, expect, it } from "vitest";
import { type Coverage, coverageOf, loudestFirst } from "../../src/coverage/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import {
  type Checked,
  check,
  type Expr,
  judge,
  type RecordValue,
  type TraceEntry,
  type Value,
} from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Proof, prove } from "../../src/prove/prove.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = { solver: async () => solver, limits: { timeoutMs: 20_000, resources: 20_000_000 } };

const tools = `import { contract, coverage, fluent, labelled, tool } from "foreclaim";
export const done = fluent<string, boolean>({ initial: false });
export const send = tool({ labels: ["message"], requires: ({ n }) => n >= 0, effects: ({ to }) => [done.set(to, true)], run: async ({ to, n }: { to: string; n: number }): Promise<void> => {} });
export const note = tool({ labels: ["message"], run: async ({ to, urgent }: { to: string; urgent?: boolean }): Promise<void> => {} });
export const ask = tool({ run: async (): Promise<boolean> => true });
export const only = contract((to: string[]) => send.all((e) => to.includes(e.to)));
export const toBob = contract(() => send.all((e) => e.to === "b"));
export const toSome = contract(() => send.all((e) => ["a", "b"].includes(e.to)));
export const once = contract(() => send.distinct((e) => e.to));
export const pairs = contract(() => send.distinct((e) => e.to + String(e.n > 1)));
export const few = contract((n: number) => send.count() <= n);
export const fewer = contract((n: number) => send.count() < n);
export const each = contract((n: number) => send.perKey((e) => e.to).count() <= n);
export const none = contract(() => send.none());
export const noneToBob = contract(() => send.none((e) => e.to === "b"));
export const quiet = contract(() => labelled("message").none());
export const brief = contract((n: number) => labelled("message").count() <= n);
export const small = contract((n: number) => send.all((e) => e.n <= n));
export const spend = contract((n: number) => send.sum((e) => e.n) <= n);
export const highest = contract((n: number) => send.max((e) => e.n, 0) <= n);
export const reaches = contract((to: string) => send.some((e) => e.to === to));
export const asked = contract(() => ask.before(send));
export const allDone = contract(() => done.final.all((d) => d.value));
export const bobDone = contract(() => done.final.get("b"));
export const always = contract(() => done.always.all((d) => !d.value));
export const bobOrNothing = contract(() => toBob() || none());
export const strict = contract(() => toBob() && few(1));
export const balanced = contract(() => send.count() === note.count());
export const noUrgent = contract(() => note.none((m) => m.urgent === true));
export const nothing = contract(() => true);
`;

interface Case {
  readonly body?: string;
  readonly stated: string;
  readonly policy: string;
}

const call = 'await t.send({ to: "b", n: 1 });';

async function found({ body = call, stated, policy }: Case) {
  const files = new Map([
    ["tools/t.ts", `${tools}\nexport const p = coverage({ whenUsed: [send], label: "mail", ${policy} });`],
    [
      "program.ts",
      `import { program } from "foreclaim";\nimport * as t from "./tools/t";\nexport default program({ guarantees: [${stated}], async run() { ${body} } });`,
    ],
  ]);
  const result = compileProgram("program.ts", { readFile: (path) => files.get(path) });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const proof = await prove(checked.value, options);
  const coverage = await coverageOf(result.value.document, proof, result.value.used, options);
  return { ...result.value, checked: checked.value, proof, coverage };
}

const coverage = async (one: Case): Promise<Coverage | undefined> => (await found(one)).coverage[0];

describe("statuses", () => {
  const empty = {
    mentioned: [],
    entailed: [],
    missingRequired: [],
    missingRecommended: [],
    enforced: [],
    openAtStops: [],
  };

  it("covered: all is stated", async () => {
    const one = { stated: "t.once(), t.toBob()", policy: "recommended: [toBob], required: [once]" };
    expect(await coverage(one)).toEqual({
      ...empty,
      domain: "mail",
      status: "covered",
      mentioned: ["t.once", "t.toBob"],
    });
  });

  it("covered: all is stated or entailed", async () => {
    const one = { stated: "t.few(1), t.toBob()", policy: "recommended: [toSome], required: [once]" };
    expect(await coverage(one)).toEqual({
      ...empty,
      domain: "mail",
      status: "covered",
      entailed: ["t.once", "t.toSome"],
      enforced: ["t.once"],
    });
  });

  it("recommended gap: something is stated, and not this", async () => {
    const one = { stated: "t.small(5)", policy: "recommended: [only, toBob]" };
    expect(await coverage(one)).toEqual({
      ...empty,
      domain: "mail",
      status: "recommended_gap",
      missingRecommended: ["t.only", "t.toBob"],
    });
  });

  it("silent gap: nothing is stated, or nothing about this", async () => {
    const expected = { ...empty, domain: "mail", status: "silent_gap" };
    const policy = "recommended: [toBob]";
    const missing = { ...expected, missingRecommended: ["t.toBob"] };
    expect(await coverage({ stated: "t.nothing()", policy })).toEqual(missing);
    expect(await coverage({ stated: "t.noUrgent()", policy })).toEqual(missing);
    expect(await coverage({ stated: "t.nothing()", policy: "" })).toEqual(expected);
  });

  it("not silent: a label, a fluent, or a contract that the policy does not list", async () => {
    const policy = "recommended: [toBob]";
    for (const stated of ["t.brief(9)", "t.bobDone()", "t.spend(9)", "t.highest(7)"])
      expect((await coverage({ stated, policy }))?.status, stated).toBe("recommended_gap");
  });

  it("required gap: enforced, and held", async () => {
    const one = { stated: "t.small(5)", policy: "recommended: [toBob], required: [once, few(4)]" };
    expect(await coverage(one)).toEqual({
      ...empty,
      domain: "mail",
      status: "required_gap",
      missingRequired: ["t.once", "t.few(4)"],
      missingRecommended: ["t.toBob"],
      enforced: ["t.once", "t.few(4)"],
    });
  });

  it("required gap: also where nothing at all is stated", async () => {
    const one = { stated: "t.nothing()", policy: "required: [once]" };
    expect((await coverage(one))?.status).toBe("required_gap");
  });

  it("required gap: enforced, and broken", async () => {
    const one = { body: call + call, stated: "t.small(5)", policy: "required: [once]" };
    const { proof, coverage: domains } = await found(one);
    expect(proof.guarantees.map(({ verdict }) => verdict.kind)).toEqual(["proved", "refuted"]);
    expect(domains[0]).toMatchObject({
      status: "required_gap",
      missingRequired: ["t.once"],
      enforced: [],
      openAtStops: [],
    });
  });

  it("nothing follows from what is not proved, and nothing from what was added", async () => {
    const refuted = { body: call + call, stated: "t.few(1)", policy: "recommended: [once]" };
    expect((await coverage(refuted))?.entailed).toEqual([]);
    const added = { stated: "t.small(5)", policy: "required: [few(1)], recommended: [once]" };
    expect((await coverage(added))?.entailed).toEqual([]);
  });

  it("is empty where no domain is used", async () => {
    const { coverage: domains } = await found({ body: "await t.ask();", stated: "t.nothing()", policy: "" });
    expect(domains).toEqual([]);
  });

  it("puts the loudest first, and leaves the rest in order", () => {
    const of = (domain: string, status: Coverage["status"]): Coverage => ({ ...empty, domain, status });
    const all = [
      of("a", "covered"),
      of("b", "silent_gap"),
      of("c", "recommended_gap"),
      of("d", "required_gap"),
    ];
    const more = [...all, of("e", "silent_gap"), of("f", "covered")];
    expect(
      loudestFirst(more)
        .map(({ domain }) => domain)
        .join(""),
    ).toBe("dbecaf");
  });
});

describe("entailed", () => {
  const yes: readonly (readonly [stated: string, contract: string])[] = [
    ["t.toBob()", "toSome"],
    ['t.only(["b"])', "toSome"],
    ['t.only(["b"])', 'only(["a", "b", "c"])'],
    ["t.few(1)", "once"],
    ["t.few(1)", "few(1)"],
    ["t.few(1)", "few(3)"],
    ["t.few(2)", "fewer(3)"],
    ["t.few(2)", "each(2)"],
    ["t.brief(1)", "once"],
    ["t.brief(2)", "few(2)"],
    ["t.once()", "pairs"],
    ["t.once()", "each(1)"],
    ["t.each(1)", "once"],
    ["t.spend(5)", "spend(10)"],
    ["t.highest(5)", "highest(7)"],
    ["t.small(3)", "small(4)"],
    ["t.allDone()", "allDone"],
    ["t.strict()", "toBob"],
    ["t.strict()", "once"],
    ["t.toBob()", "bobOrNothing"],
    ["t.once(), t.toBob()", "few(1)"],
    ["t.toBob(), t.few(1)", "strict"],
    ["t.asked()", "asked"],
    ["t.small(5)", "nothing"],
  ];
  it.each(yes)("%s implies %s", async (stated, contract) => {
    const body = stated.includes("asked") ? `await t.ask(); ${call}` : call;
    const one = await found({ body, stated, policy: `recommended: [${contract}]` });
    const entry = one.used[0]?.contracts[0];
    // What a policy lists with the very arguments that are stated is mentioned.
    if (entry?.stated !== undefined) expect(one.coverage[0]?.mentioned).toHaveLength(1);
    else if (one.proof.guarantees.every(({ verdict }) => verdict.kind === "proved"))
      expect(one.coverage[0]?.entailed).toHaveLength(1);
    else throw new Error("what is stated is not proved");
  });

  it.each([
    ["t.toSome()", "toBob"],
    ["t.toBob()", "once"],
    ["t.toBob()", "none"],
    ["t.few(2)", "once"],
    ["t.few(3)", "few(2)"],
    ["t.each(2)", "once"],
    ["t.pairs()", "once"],
    ["t.spend(5)", "spend(4)"],
    ["t.spend(5)", "small(5)"],
    ["t.spend(5)", "few(5)"],
    ['t.reaches("b")', "toBob"],
    ['t.reaches("b")', 'reaches("a")'],
    ["t.bobDone()", "allDone"],
    ["t.toBob()", "only"],
    ["t.few(3)", "few"],
    ["t.nothing()", "toBob"],
    ["t.noUrgent()", "quiet"],
    ["t.few(1)", "brief(1)"],
    ["t.toBob()", "asked"],
    ["t.few(1)", "spend(100)"],
  ])("%s does not imply %s", async (stated, contract) => {
    expect((await coverage({ stated, policy: `recommended: [${contract}]` }))?.entailed).toEqual([]);
  });

  it("with parameters that are left open: only what holds for all arguments", async () => {
    const of = async (stated: string, contract: string) =>
      (
        await coverage({
          body: "const f = t.send; if (false) await f({ to: 'a', n: 1 });",
          stated,
          policy: `recommended: [${contract}]`,
        })
      )?.entailed;
    expect(await of("t.none()", "small")).toEqual(["t.small"]);
    expect(await of("t.quiet()", "small")).toEqual(["t.small"]);
    expect(await of("t.none()", "few")).toEqual([]);
  });
});

// ── by brute force ───────────────────────────────────────────────────────────────────────────────────────

/** A fixed sequence of numbers from a seed, so that a failure can be repeated. */
function chance(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const statable = [
  "toBob()",
  "toSome()",
  "once()",
  "pairs()",
  "none()",
  "noneToBob()",
  "quiet()",
  "allDone()",
  "bobDone()",
  "asked()",
  "bobOrNothing()",
  "strict()",
  "balanced()",
  "noUrgent()",
  "always()",
  'only(["a"])',
  'only(["a", "b"])',
  "few(0)",
  "few(1)",
  "few(2)",
  "fewer(2)",
  "each(1)",
  "each(2)",
  "brief(1)",
  "brief(2)",
  "small(1)",
  "small(2)",
  "spend(1)",
  "spend(3)",
  "highest(1)",
  "highest(2)",
  'reaches("a")',
  'reaches("b")',
];

/** Every call of small values. */
const calls: readonly Pick<TraceEntry, "tool" | "args">[] = [
  ...["a", "b"].flatMap((to) => [0n, 2n].map((n) => ({ tool: "t.send", args: record({ to, n }) }))),
  ...["a", "b"].map((to) => ({ tool: "t.note", args: record({ to }) })),
  { tool: "t.note", args: record({ to: "b", urgent: true }) },
  { tool: "t.ask", args: record({}) },
];

function record(fields: Readonly<Record<string, Value>>): RecordValue {
  return { kind: "record", fields: Object.assign(Object.create(null), fields) };
}

describe("by brute force", () => {
  it("no trace on which all that is stated holds breaks what is said to follow", async () => {
    const from = seed() ?? 20_260_611;
    const pick = chance(from);
    let entailed = 0;
    let kept = 0;
    for (let round = 0; round < runs(60); round++) {
      const stated = Array.from({ length: 1 + pick(3) }, () => statable[pick(statable.length)] ?? "none()");
      const asked = statable[pick(statable.length)] ?? "none()";
      const one = await stating(stated, asked);
      if (one === undefined) continue;
      entailed += one.isEntailed ? 1 : 0;
      if (!one.isEntailed) continue;
      for (let i = 0; i < 400; i++) {
        const trace = traceOf(Array.from({ length: pick(5) }, () => calls[pick(calls.length)]));
        const holds = (formula: Expr) => judge(one.checked, formula, { inputs: record({}), trace }).kind;
        if (!one.stated.every((formula) => holds(formula) === "holds")) continue;
        kept++;
        expect(holds(one.asked), `${stated.join()} => ${asked}, seed ${from}, round ${round}`).toBe("holds");
      }
    }
    expect(entailed).toBeGreaterThan(atLeast(1));
    expect(kept).toBeGreaterThan(atLeast(100));
  }, 120_000);
});

/** As if all that is stated were proved: what follows from it is a question of its own. */
async function stating(stated: readonly string[], asked: string) {
  const { document, used, checked } = await found({
    body: "if (false) { await t.send({ to: 'a', n: 1 }); await t.note({ to: 'a' }); await t.ask(); }",
    stated: [...stated, asked].map((one) => `t.${one}`).join(", "),
    policy: "recommended: [nothing]",
  });
  const formulas = document.guarantees.flatMap(({ formula }) => (formula === undefined ? [] : [formula]));
  const goal = formulas[stated.length];
  const [first] = used;
  if (goal === undefined || first === undefined) throw new Error("nothing is used");
  const guarantees = document.guarantees.slice(0, stated.length);
  const proof = {
    obligations: [],
    guarantees: guarantees.map((guarantee) => ({
      guarantee,
      verdict: { kind: "proved", by: "ground" } as const,
    })),
  } satisfies Proof;
  const meaning = { params: [], formula: goal, tools: document.tools, fluents: document.fluents };
  const contracts = [{ contract: "asked", isRequired: false, meaning }];
  const [domain] = await coverageOf({ ...document, guarantees }, proof, [{ ...first, contracts }], options);
  return {
    isEntailed: domain?.entailed.length === 1,
    stated: formulas.slice(0, stated.length),
    asked: goal,
    checked: checked satisfies Checked,
  };
}

function traceOf(made: readonly (Pick<TraceEntry, "tool" | "args"> | undefined)[]): TraceEntry[] {
  return made.flatMap((one, position): TraceEntry[] =>
    one === undefined
      ? []
      : [
          {
            ...one,
            id: `c${position}`,
            indices: [],
            position,
            outcome: one.tool === "t.ask" ? { kind: "returned", result: true } : { kind: "returned" },
          },
        ],
  );
}
