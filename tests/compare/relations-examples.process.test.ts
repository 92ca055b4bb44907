/** Relations between contracts of the example modules, and between sets of them. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { implies, lookAtSet, relate } from "../../src/compare/index.ts";
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import type { Expr } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = { solver: async () => solver, limits: { timeoutMs: 10_000, resources: 20_000_000 } };

function stated(texts: readonly string[]) {
  const module = texts[0]?.split(".")[0] ?? "";
  const files = new Map([
    [`tools/${module}.ts`, readFileSync(`examples/${module}/tools/${module}.ts`, "utf8")],
    [
      "p.ts",
      `import { program } from "foreclaim";
import * as ${module} from "./tools/${module}";
export default program({ guarantees: [${texts.join(", ")}], async run() {} });`,
    ],
  ]);
  const host = { readFile: (path: string) => files.get(path) };
  const program = compileProgram("p.ts", host);
  const layer = compileTools([`tools/${module}.ts`], host);
  if (!program.ok || !layer.ok) throw new Error(JSON.stringify([program, layer]));
  const formulas = program.value.document.guarantees.flatMap(({ formula }): Expr[] =>
    formula ? [formula] : [],
  );
  return { formulas: formulas.slice(0, texts.length), layer: layer.value };
}

describe("the first implies the second", () => {
  it.each([
    [`email.only(["a@x"])`, `email.only(["a@x", "b@x"])`, "yes"],
    [`email.only(["a@x", "b@x"])`, `email.only(["a@x"])`, "no"],
    [`email.none()`, `email.only(["a@x"])`, "yes"],
    [`email.atMost(1)`, `email.uniqueRecipients()`, "yes"],
    [`email.atMost(2)`, `email.uniqueRecipients()`, "no"],
    [`email.uniqueRecipients()`, `email.eachAtMost(1)`, "yes"],
    [`email.eachAtMost(3)`, `email.recipientAtMost("a@x", 4)`, "yes"],
    [`email.eachAtMost(3)`, `email.recipientAtMost("a@x", 2)`, "no"],
    [`email.insideDomain("x")`, `email.none()`, "no"],
    [`bank.maxSpend(100)`, `bank.maxSpend(150)`, "yes"],
    [`bank.maxSpend(100)`, `bank.eachAtMost(100)`, "yes"],
    [`bank.maxSpend(100)`, `bank.eachAtMost(99)`, "no"],
    [`bank.maxSpend(100)`, `bank.perAccount(100)`, "yes"],
    [`bank.careful("card")`, `bank.looksFirst()`, "yes"],
    [`bank.looksFirst()`, `bank.careful("card")`, "no"],
    [`home.allDoorsLockedAtEnd()`, `home.doorLockedAtEnd("front")`, "yes"],
    [`home.allDoorsLockedAtEnd()`, `home.openAtEndAtMost(0)`, "yes"],
    [`home.openAtEndAtMost(0)`, `home.allDoorsLockedAtEnd()`, "yes"],
    [`home.openAtEndAtMost(1)`, `home.allDoorsLockedAtEnd()`, "no"],
    [`home.onlyOpens(["a"])`, `home.onlyOpens(["a", "b"])`, "yes"],
    [`home.onlyOpens(["a"])`, `home.openAtEndAtMost(1)`, "yes"],
    [`home.doorLockedAtEnd("front")`, `home.allDoorsLockedAtEnd()`, "no"],
  ] as const)("%s ⊢ %s: %s", async (given, goal, expected) => {
    const { formulas, layer } = stated([given, goal]);
    const [first, second] = formulas;
    if (first === undefined || second === undefined) throw new Error("both have formulas");
    const answer = await implies({ given: [first], goal: second }, layer, options);
    expect(answer.kind).toBe(expected);
  });
});

describe("two stand to each other", () => {
  it.each([
    [`email.uniqueRecipients()`, `email.eachAtMost(1)`, "equivalent"],
    [`email.none()`, `email.atMost(3)`, "stronger"],
    [`email.atMost(3)`, `email.none()`, "weaker"],
    [`email.reaches("a@x")`, `email.none()`, "contradictory"],
    [`email.reaches("a@x")`, `email.atMost(3)`, "different"],
    [`bank.frozenAtEnd("a")`, `bank.nothingFrozenAtEnd()`, "contradictory"],
  ] as const)("%s, %s: %s", async (a, b, expected) => {
    const { formulas, layer } = stated([a, b]);
    expect((await relate(formulas.slice(0, 1), formulas.slice(1), layer, options)).kind).toBe(expected);
  });
});

it("finds in a set what says nothing, what cannot be kept, and what follows from others", async () => {
  const texts = [
    `email.atMost(3)`,
    `email.atMost(5)`,
    `email.reaches("a@x")`,
    `email.none()`,
    `email.noGuarantees()`,
    `email.reaches("nobody")`,
  ];
  const { formulas, layer } = stated(texts);
  expect(Object.fromEntries(await lookAtSet(formulas, layer, options))).toEqual({
    1: { kind: "implied", by: [0] },
    3: { kind: "contradicts", with: [2] },
    4: { kind: "always" },
    // No email goes to what is no address: that is required of every one.
    5: { kind: "never" },
  });
});

it("finds what cannot be kept together though each two can, and names no more than it takes", async () => {
  const { formulas, layer } = stated([
    `email.atMost(1)`,
    `email.reaches("a@x")`,
    `email.contentLengthAtMost(9)`,
    `email.reaches("b@x")`,
  ]);
  expect(Object.fromEntries(await lookAtSet(formulas, layer, options))).toEqual({
    3: { kind: "contradicts", with: [0, 1] },
  });
  expect((await lookAtSet(formulas.slice(0, 3), layer, options)).size).toBe(0);
});

it("takes into account what tools need that others set, whatever module they are in", async () => {
  // Nobody unlocks while the alarm is on, so what is unlocked was preceded by turning it off.
  const { formulas, layer } = stated([`home.openAtEndAtMost(0)`]);
  const over = (tool: string) => ({ var: "x", in: { kind: "calls", tool } }) as const;
  const none = (tool: string): Expr => ({
    kind: "quantifier",
    quantifier: "forall",
    over: over(tool),
    body: { kind: "bool", value: false },
  });
  const goal = none("home.unlock");
  expect((await implies({ given: [], goal }, layer, options)).kind).toBe("no");
  expect((await implies({ given: [none("home.arm")], goal }, layer, options)).kind).not.toBe("no");
  expect(formulas).toHaveLength(1);
});
