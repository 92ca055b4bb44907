/** Proved, refuted and unknown verdicts, form by form; beside each proof a weaker program whose verdict flips. */
import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../ir/read.ts";
import type { Solver } from "./decide/solver/port.ts";
import { z3Wasm } from "./decide/solver/z3-wasm.ts";
import { prove, type Verdict } from "./prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const tools = `
fluent home.locked[string]: bool = true
fluent home.mode[enum{"day", "night"}]: int = 0
fluent home.seen[string]: int = unknown
tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.pay(to: string, amount: real)
  labels "payment"
  requires amount >= 0
tool bank.order(to: string)
  labels "payment"
tool bank.fee(n: int)
  cost n - 2
tool home.unlock(door: string)
  sets home.locked[door] = false
tool home.lock(door: string)
  sets home.locked[door] = true
tool home.count(door: string)
  requires now home.seen[door] >= 0
  sets home.seen[door] = now home.seen[door] + 1
tool shop.find(id: string) -> option<record{price: real, kind: enum{"book", "food"}}>
tool shop.below(n: int) -> int
  ensures result >= 0
  ensures result < n
tool shop.lots() -> int
  ensures 3 * result + 7 == 52
tool broken.promise() -> int
  ensures result > 0
  ensures result < 0
`;

async function proofOf(program: string, formula: string, ask: () => Promise<Solver> = async () => solver) {
  const text = `effect-ir 1\n${tools}\nprogram (limit: real, who: string, n: int, ok: bool) {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return prove(read.value.checked, { solver: ask, limits: { timeoutMs: 20_000, resources: 20_000_000 } });
}

function said(verdict: Verdict | undefined): string {
  return verdict?.kind === "proved" ? `proved ${verdict.by}` : (verdict?.kind ?? "");
}

const bob = 'call bank.pay(to: "bob", amount: 5)';

describe("guarantees", () => {
  it.each<[program: string, formula: string, expected: string]>([
    // all, some, none
    [bob, 'forall p in bank.pay: p.to == "bob"', "proved ground"],
    ["call bank.pay(to: who, amount: 5)", 'forall p in bank.pay: p.to == "bob"', "refuted"],
    [
      'call bank.pay(to: who, amount: 5) when who == "bob"',
      'forall p in bank.pay: p.to == "bob"',
      "proved ground",
    ],
    [`${bob} when ok`, "exists p in bank.pay: p.amount > 1", "refuted"],
    [bob, "exists p in bank.pay: p.amount > 1", "proved ground"],
    ["", "not exists p in bank.pay: true", "proved ground"],
    ["", "exists p in bank.pay: true", "refuted"],
    // counts and sums
    [`${bob}\n${bob} when ok`, "count(p in bank.pay) <= 2", "proved ground"],
    [`${bob}\n${bob} when ok`, "count(p in bank.pay) <= 1", "refuted"],
    [`${bob} when ok\n${bob} when not ok`, "count(p in bank.pay) == 1", "proved ground"],
    [
      'let owed = call bank.balance(account: "a")\ncall bank.pay(to: "b", amount: min(owed, 500))',
      "sum(p in bank.pay: p.amount) <= 500",
      "proved ground",
    ],
    [
      'let owed = call bank.balance(account: "a")\ncall bank.pay(to: "b", amount: owed)',
      "sum(p in bank.pay: p.amount) <= 500",
      "refuted",
    ],
    ["", "max(p in bank.pay: p.amount else 7) == 7", "proved ground"],
    [`${bob} when ok`, "max(p in bank.pay: p.amount else 7) <= 7", "proved ground"],
    [`${bob} when ok`, "min(p in bank.pay: p.amount else 7) == 7", "refuted"],
    // keys
    [
      'call bank.pay(to: "a", amount: 1)\ncall bank.pay(to: "b", amount: 1)',
      "distinct(p in bank.pay: p.to)",
      "proved ground",
    ],
    [
      'call bank.pay(to: "a", amount: 1)\ncall bank.pay(to: who, amount: 1)',
      "distinct(p in bank.pay: p.to)",
      "refuted",
    ],
    [
      'call bank.pay(to: "a", amount: 1)\ncall bank.pay(to: who, amount: 1) when who != "a"',
      "distinct(p in bank.pay: p.to)",
      "proved ground",
    ],
    [
      'call bank.pay(to: "a", amount: 3)\ncall bank.pay(to: who, amount: 4)',
      "forall t = sum(p in bank.pay by p.to: p.amount): t <= 7",
      "proved ground",
    ],
    [
      'call bank.pay(to: "a", amount: 3)\ncall bank.pay(to: who, amount: 4)',
      "forall t = sum(p in bank.pay by p.to: p.amount): t <= 6",
      "refuted",
    ],
    // labels, order, results
    [
      `call bank.order(to: "x")\n${bob}`,
      'forall p in label "payment": p.to == "x" or p.to == "bob"',
      "proved ground",
    ],
    [
      `call bank.order(to: "x")\n${bob}`,
      "forall p in bank.pay: exists o in bank.order: precedes(o, p)",
      "proved ground",
    ],
    [
      `${bob}\ncall bank.order(to: "x")`,
      "forall p in bank.pay: exists o in bank.order: precedes(o, p)",
      "refuted",
    ],
    [
      'let r = call shop.find(id: who)\ncall bank.pay(to: "s", amount: value(r).price) when isSome(r) and value(r).price >= 0 and value(r).kind == "food"',
      'forall f in shop.find: forall p in bank.pay: value(value(result(f))).kind == "food"',
      "proved ground",
    ],
    // state
    [
      "call home.unlock(door: who)\ncall home.lock(door: who)",
      "forall d in final home.locked: d.value",
      "proved ground",
    ],
    [
      "call home.lock(door: who)\ncall home.unlock(door: who)",
      "forall d in final home.locked: d.value",
      "refuted",
    ],
    ['call home.unlock(door: "a")\ncall home.lock(door: who)', 'final home.locked["a"]', "refuted"],
    [
      'call home.unlock(door: "a")\ncall home.lock(door: who) when who == "a"\ncall home.lock(door: "a") when who != "a"',
      'final home.locked["a"]',
      "proved ground",
    ],
    [
      'call home.unlock(door: "a")\ncall home.lock(door: "a") catch stuck',
      'final home.locked["a"]',
      "refuted",
    ],
    ['call home.unlock(door: "a")\ncall home.lock(door: "a")', 'always(now home.locked["a"])', "refuted"],
    [
      'call home.unlock(door: "a")\ncall home.lock(door: "a")',
      'always(now home.locked["b"])',
      "proved ground",
    ],
    ["", 'initial home.seen["a"] == final home.seen["a"]', "proved ground"],
    ["", "forall m in final home.mode: m.value == 0", "proved ground"],
    // failed calls: they count towards upper bounds, not towards lower ones
    [`call bank.pay(to: "bob", amount: 5) catch f`, "count(p in bank.pay) <= 1", "proved ground"],
    [`call bank.pay(to: "bob", amount: 5) catch f`, "count(p in bank.pay) >= 1", "refuted"],
    [`call bank.pay(to: "bob", amount: 5) catch f\n${bob} when f`, "count(p in bank.pay) >= 1", "proved smt"],
    [`call bank.pay(to: "bob", amount: 5) catch f\n${bob} when f`, "count(p in bank.pay) <= 1", "refuted"],
    // loops over what is known
    [
      "for x in [1, 2, 3] carry t: real = 0 {\ncall bank.pay(to: who, amount: x) when t + x <= 3\nnext t = if t + x <= 3 then t + x else t\n}",
      "sum(p in bank.pay: p.amount) <= 3",
      "proved ground",
    ],
    [
      "for x in filter([1, 2, 3], y => y != n) { call bank.pay(to: who, amount: x) }",
      "sum(p in bank.pay: p.amount) >= 3",
      "proved smt",
    ],
    [
      "for x in filter([1, 2, 3], y => y != n) { call bank.pay(to: who, amount: x) }",
      "sum(p in bank.pay: p.amount) <= 5",
      "refuted",
    ],
    // what is not followed is unknown, never proved
    ["", "not flows(who, input who)", "refuted"],
    ["", 'not flows("x", input who)', "proved ground"],
    // keys that are known are told apart by value, however they are written
    [`${bob}\ncall bank.pay(to: "amy", amount: 2.5 + 2.5)`, "distinct(p in bank.pay: p.amount)", "refuted"],
    [`${bob}\ncall bank.pay(to: "amy", amount: 4)`, "distinct(p in bank.pay: p.amount)", "proved ground"],
    [
      `${bob}\ncall bank.pay(to: "amy", amount: 2.5 + 2.5)`,
      "forall c = count(p in bank.pay by p.amount): c <= 1",
      "refuted",
    ],
    [
      `${bob}\ncall bank.pay(to: "amy", amount: 5)`,
      "distinct(p in bank.pay: { to: p.to, amount: p.amount })",
      "proved ground",
    ],
    [`${bob}\n${bob} when ok\n${bob} when not ok`, "distinct(p in bank.pay: p.to)", "refuted"],
    [`${bob} when ok\n${bob} when not ok`, "distinct(p in bank.pay: p.to)", "proved ground"],
    [
      `${bob}\ncall bank.pay(to: who, amount: 5)`,
      "forall c = count(p in bank.pay by p.to): c <= 1",
      "refuted",
    ],
    [
      `${bob}\ncall bank.pay(to: who, amount: 5) when who != "bob"`,
      "forall c = count(p in bank.pay by p.to): c <= 1",
      "proved ground",
    ],
    // keys: written ones, ones that the formula names, and all others
    ["", 'forall d in final home.locked: d.key == "a" or not d.value', "refuted"],
    ["", 'forall d in final home.locked: d.key != "a" or d.value', "proved ground"],
    [
      'call home.unlock(door: "a")',
      'forall d in final home.locked: d.key == "a" or d.value',
      "proved ground",
    ],
    ["call home.unlock(door: who)", 'forall d in final home.locked: d.key == "a" or d.value', "refuted"],
    [
      "call home.unlock(door: who)",
      "forall d in final home.locked: d.key == who or d.value",
      "proved ground",
    ],
    ["", 'exists d in final home.locked: d.key == "a" and d.value', "proved ground"],
    ['call home.unlock(door: "a")', 'exists d in final home.locked: d.key == "a" and d.value', "refuted"],
    ["", 'not exists d in final home.locked: d.key == "a" and d.value', "refuted"],
    ["", "forall d in final home.locked: exists e in final home.locked: d.key != e.key", "unknown"],
    ["", "forall d in final home.seen: initial home.seen[d.key] == d.value", "proved ground"],
    ["call home.unlock(door: who)", "count(d in final home.locked where not d.value) == 1", "proved ground"],
    [
      'call home.unlock(door: who)\ncall home.unlock(door: "a")',
      "count(d in final home.locked where not d.value) == 2",
      "refuted",
    ],
    [
      'call home.unlock(door: who)\ncall home.unlock(door: "a")',
      "count(d in final home.locked where not d.value) <= 2",
      "proved ground",
    ],
    ["", "count(d in final home.locked where d.value) <= 1000", "refuted"],
    ["", "count(d in final home.mode where d.value == 0) == 2", "proved ground"],
    [
      "let x = toLowerCase(who)\ncall bank.pay(to: x, amount: 1)",
      "forall p in bank.pay: p.to == toLowerCase(who)",
      "proved ground",
    ],
    ["call bank.pay(to: toLowerCase(who), amount: 1)", "forall p in bank.pay: p.to == who", "refuted"],
  ])("%s | %s", async (program, formula, expected) => {
    const proof = await proofOf(program, formula);
    expect(said(proof.guarantees[0]?.verdict)).toBe(expected);
  });
});

describe("what the program itself needs", () => {
  it.each<[program: string, expected: readonly string[]]>([
    ["call bank.pay(to: who, amount: limit)", ["refuted"]],
    ["call bank.pay(to: who, amount: limit) when limit > 1", ["proved ground"]],
    ["call bank.pay(to: who, amount: abs(limit))", ["proved ground"]],
    // An `ensures` helps only where the call was made.
    ['let b = call bank.balance(account: "a")\ncall bank.pay(to: who, amount: b)', ["proved ground"]],
    [
      'let b = call bank.balance(account: "a") when ok\ncall bank.pay(to: who, amount: orElse(b, limit))',
      ["refuted"],
    ],
    [
      'let b = call bank.balance(account: "a") catch f\ncall bank.pay(to: who, amount: orElse(b, limit))',
      ["refuted"],
    ],
    [
      'let b = call bank.balance(account: "a") catch f\ncall bank.pay(to: who, amount: value(b))',
      ["proved smt"],
    ],
    ['require n > 0: "why"', ["refuted"]],
    ['require n > 0 when n > 1: "why"', ["proved ground"]],
    // What was required before may be used after.
    ['require limit >= 0: "why"\ncall bank.pay(to: who, amount: limit)', ["refuted", "proved ground"]],
    // A state that nothing is known of.
    ["call home.count(door: who)", ["refuted"]],
    // A cost is never negative.
    ["call bank.fee(n: 3)", ["proved ground"]],
    ["call bank.fee(n: n)", ["refuted"]],
    ["call bank.fee(n: n) when n > 5", ["proved ground"]],
    ["for x in [1, 2] max 1 { }", ["refuted"]],
    ["for x in [1, 2] max 2 { }", ["proved ground"]],
  ])("%s", async (program, expected) => {
    const proof = await proofOf(program, "true");
    expect(proof.obligations.map(({ verdict }) => said(verdict))).toEqual(expected);
  });
});

it("does not ask the solver what is decided without it", async () => {
  const never = async (): Promise<Solver> => {
    throw new Error("asked");
  };
  const proof = await proofOf(bob, "count(p in bank.pay) <= 1", never);
  expect(said(proof.guarantees[0]?.verdict)).toBe("proved ground");
});

it("does not take what follows from a contradiction for proved", async () => {
  const proof = await proofOf(
    "let x = call broken.promise()\ncall bank.pay(to: who, amount: 1)",
    'forall p in bank.pay: p.to == "bob"',
  );
  expect(proof.guarantees[0]?.verdict).toMatchObject({
    kind: "unknown",
    why: expect.stringContaining("contradicts itself"),
  });
});

it("does not take what follows behind a call without an answer for proved", async () => {
  const program = "let x = call broken.promise() when ok\ncall bank.order(to: who) when ok";
  const proof = await proofOf(program, "forall o in bank.order: false");
  expect(proof.guarantees[0]?.verdict).toMatchObject({
    kind: "unknown",
    why: expect.stringContaining("no answer of `broken.promise`"),
  });
  const needs = await proofOf(
    "call bank.pay(to: who, amount: limit) when limit > 1\nlet x = call broken.promise() when ok\ncall bank.pay(to: who, amount: -1) when ok",
    "true",
  );
  expect(needs.obligations.map(({ verdict }) => said(verdict))).toEqual(["proved ground", "unknown"]);
  // Each of the two has an answer, but not one after the other.
  const twice = await proofOf(
    "let x = call shop.below(n: n) when ok\nlet y = call shop.below(n: orElse(x, 5)) when ok\nlet z = call shop.below(n: orElse(y, 5)) when ok\ncall bank.pay(to: who, amount: -1) when ok",
    "true",
  );
  expect(said(twice.obligations[0]?.verdict)).toBe("refuted");
  const never = await proofOf(
    "let x = call shop.below(n: 1) when ok\nlet y = call shop.below(n: orElse(x, 5)) when ok\ncall bank.pay(to: who, amount: -1) when ok",
    "true",
  );
  expect(said(never.obligations[0]?.verdict)).toBe("unknown");
  // What holds whatever is answered is none the worse for it.
  const other = await proofOf(program, "count(o in bank.order) <= 1");
  expect(said(other.guarantees[0]?.verdict)).toBe("proved ground");
});

it("does not take for proved what may follow from a contradiction", async () => {
  const program = "let x = call shop.lots()\ncall bank.pay(to: who, amount: x)";
  const formula = "forall p in bank.pay: 2 * p.amount == 30";
  expect(said((await proofOf(program, formula)).guarantees[0]?.verdict)).toBe("proved smt");
  // It finds what cannot be, and nothing that can.
  const tired: Solver = {
    name: solver.name,
    version: () => solver.version(),
    close: () => solver.close(),
    [Symbol.asyncDispose]: () => solver.close(),
    check: async (script, limits) => {
      const answer = await solver.check(script, limits);
      return answer.kind === "unsat" ? answer : { kind: "unknown", reason: "resources", detail: "" };
    },
  };
  const proof = await proofOf(program, formula, async () => tired);
  expect(proof.guarantees[0]?.verdict).toMatchObject({
    kind: "unknown",
    why: expect.stringContaining("whether what is assumed contradicts itself"),
  });
});

describe("when the run stops early", () => {
  const lockUp = 'call home.unlock(door: "a")\ncall home.lock(door: "a")';
  it.each<[program: string, formula: string, expected: readonly string[]]>([
    // what only forbids holds on every beginning of a run
    [`${bob}\n${bob}`, 'forall p in bank.pay: p.to == "bob"', []],
    [`${bob}\n${bob}`, "count(p in bank.pay) <= 2", []],
    [`${bob}\n${bob}`, "sum(p in bank.pay: p.amount) <= 10", []],
    ["call bank.pay(to: who, amount: limit)", "sum(p in bank.pay: p.amount) >= 0", []],
    [`${bob}\ncall bank.pay(to: "amy", amount: 1)`, "distinct(p in bank.pay: p.to)", []],
    [`${bob}\n${bob}`, "not exists p in bank.order: true", []],
    [bob, "fold([1], count(o in bank.order), (a: real, b) => sum(p in bank.pay: a)) >= 0", []],
    // what must happen has not happened yet
    [bob, "exists p in bank.pay: true", ["start certain", "c1 certain"]],
    [`${bob}\n${bob}`, "count(p in bank.pay) == 2", ["start certain", "c1 certain", "c2 certain"]],
    [`${bob}\n${bob}`, "count(p in bank.pay) != 1", ["c1 certain", "c2 certain"]],
    [`${bob} when ok\n${bob} when ok`, "count(p in bank.pay) != 1", ["c1 certain", "c2 certain"]],
    // a sum that is only right once something was undone
    [
      `${bob}\ncall bank.order(to: "amy")`,
      "count(p in bank.pay) <= count(o in bank.order)",
      ["c1 certain", "c2 certain"],
    ],
    // states: what failed last may have left anything
    [lockUp, "forall d in final home.locked: d.value", ["c1 certain", "c2 certain"]],
    ['call home.lock(door: "a")', "forall d in final home.locked: d.value", ["c1 certain"]],
    [lockUp, 'final home.locked["b"]', []],
    [`${lockUp}\n${bob}`, 'final home.locked["a"]', ["c1 certain", "c2 certain"]],
    [lockUp, 'always(now home.locked["b"])', []],
    // a call that has no answer for some arguments is made all the same
    ["let x = call shop.below(n: n)", "forall b in shop.below: b.n > 0", ["c1 certain"]],
  ])("%s | %s", async (program, formula, expected) => {
    const [proof] = (await proofOf(program, formula)).guarantees;
    expect(proof?.verdict.kind).toBe("proved");
    const { interruption } = proof ?? {};
    const at = interruption?.kind === "open" ? interruption.at : [];
    const shown = at.map(({ after, certain }) => `${after?.id ?? "start"} ${certain ? "certain" : "maybe"}`);
    expect(shown).toEqual(expected);
  });
});
