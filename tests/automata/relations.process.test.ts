/** Relations between guarantees about order and others, on every trace that the tools allow. */
import { afterAll, expect, it } from "vitest";
import { implies } from "../../src/compare/implies.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { checkedOf } from "./documents.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `effect-ir 1
tool desk.approve(who: string) labels "desk"
tool desk.escalate(who: string) labels "desk"
tool bank.pay(amount: int)
tool bank.confirm()
program () {}
`;

const approved =
  'automaton(states "no", "yes", "bad" start "no" on "no" p in bank.pay -> "bad" on "no" a in desk.approve -> "yes" error "bad")';
const approvedEach =
  'automaton(states "no", "yes", "bad" start "no" on "no" p in bank.pay -> "bad" on "no" a in desk.approve -> "yes" on "yes" p in bank.pay -> "no" error "bad")';
const quiet =
  'automaton(states "s", "e", "bad" start "s" on "s" x in desk.escalate -> "e" on "e" p in bank.pay -> "bad" error "bad")';
const quietLabel =
  'automaton(states "s", "e", "bad" start "s" on "s" x in label "desk" -> "e" on "e" p in bank.pay -> "bad" error "bad")';
const once =
  'automaton(states "0", "1", "bad" start "0" on "0" p in bank.pay -> "1" on "1" p in bank.pay -> "bad" error "bad")';
const twice =
  'automaton(states "0", "1", "2", "bad" start "0" on "0" p in bank.pay -> "1" on "1" p in bank.pay -> "2" on "2" p in bank.pay -> "bad" error "bad")';
const small =
  'automaton(states "s", "bad" start "s" on "s" p in bank.pay where p.amount > 10 -> "bad" error "bad")';
const smaller =
  'automaton(states "s", "bad" start "s" on "s" p in bank.pay where p.amount > 5 -> "bad" error "bad")';

const before = "forall p in bank.pay: exists a in desk.approve: precedes(a, p)";
const neverAfter = "forall p in bank.pay: forall e in desk.escalate: not precedes(e, p)";

it.each<[given: string, goal: string, answer: string]>([
  [once, twice, "yes"],
  [twice, once, "no"],
  [approvedEach, approved, "yes"],
  [approved, approvedEach, "no"],
  [smaller, small, "yes"],
  [small, smaller, "no"],
  [small, "forall p in bank.pay: p.amount <= 10", "yes"],
  ["forall p in bank.pay: p.amount <= 10", small, "yes"],
  ["forall p in bank.pay: p.amount <= 11", small, "no"],
  [once, "count(p in bank.pay) <= 1", "yes"],
  ["count(p in bank.pay) <= 1", once, "yes"],
  ["count(p in bank.pay) <= 2", twice, "yes"],
  [twice, "count(p in bank.pay) <= 2", "yes"],
  ["count(p in bank.pay) <= 2", once, "no"],
  [approved, before, "yes"],
  [before, approved, "yes"],
  [approvedEach, before, "yes"],
  [before, approvedEach, "no"],
  [quiet, neverAfter, "yes"],
  [neverAfter, quiet, "yes"],
  [quietLabel, quiet, "yes"],
  [quiet, quietLabel, "no"],
  ["forall p in bank.pay: false", approved, "yes"],
  [`not ${once}`, "exists p in bank.pay: true", "yes"],
])("%s implies %s: %s", { timeout: 60_000 }, async (first, second, answer) => {
  const checked = checkedOf(`${tools}guarantee a(): ${first}\nguarantee b(): ${second}\n`);
  const [given, goal] = checked.document.guarantees.map(({ formula }) => formula!);
  const layer = { tools: checked.document.tools, fluents: checked.document.fluents };
  const limits = { timeoutMs: 10_000, resources: 10_000_000 };
  const found = await implies({ given: [given!], goal: goal! }, layer, {
    solver: async () => solver,
    limits,
  });
  expect(found.kind === "unknown" ? `unknown: ${found.why}` : found.kind).toBe(answer);
  if (found.kind !== "no") return;
  expect(judge(checked, given!, found.witness.run).kind).toBe("holds");
  expect(judge(checked, goal!, found.witness.run).kind).toBe("violated");
});
