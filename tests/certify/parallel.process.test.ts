/**
 * Certificates of programs with calls at the same time: what depends on no order is certified and checked, everything else
 * is refused with a reason. Broken twins are given to the certifier as if they were proved.
 */
import { afterAll, describe, expect, test } from "vitest";
import { checkCertificate, translate } from "../../src/certificate/index.ts";
import { readDocument } from "../../src/ir/index.ts";
import { certify, Disagreement } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const both = (...branches: readonly string[]) =>
  `parallel {\n${branches.map((body) => `branch {\n${body}\n}`).join("\n")}\n}`;

function documentOf(program: string, formula: string) {
  const read = readDocument(`effect-ir 1
fluent door.open[string]: bool = false
fluent bank.spent[string]: int = 0
tool ask.person(about: string) -> bool
tool bank.pay(to: string, amount: int)
tool bank.spend(amount: int)
  requires now bank.spent["all"] + amount <= 100
  sets bank.spent["all"] = now bank.spent["all"] + amount
tool door.unlock(at: string)
  sets door.open[at] = true
tool door.lock(at: string)
  sets door.open[at] = false
tool door.enter(at: string)
  requires now door.open[at]
tool log.note(text: string)
tool log.number() -> int
  ensures result >= 0 and result <= 10
tool db.rows() -> list<record{id: string, due: int}>
  ensures every(result, r => r.due >= 0 and r.due <= 20)
program (who: string, n: int) {
${program}
}
guarantee g(): ${formula}
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

/** `certified`, or why it is not. */
async function certified(program: string, formula: string): Promise<string> {
  try {
    const found = await certify(documentOf(program, formula), () => replayerOf(solver));
    if (found.kind === "notYet") return found.why;
    const checking = await checkCertificate(found.text, { solvers: async () => [await replayerOf(solver)] });
    return checking.kind === "valid" ? "certified" : `${checking.kind}: ${checking.problem.message}`;
  } catch (thrown) {
    if (thrown instanceof Disagreement) return "disagreement";
    throw thrown;
  }
}

describe("certified", () => {
  test.each([
    [
      "a sum",
      both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 4)"),
      "sum(p in bank.pay: p.amount) == 7",
    ],
    [
      "only one person",
      both(
        "call bank.pay(to: who, amount: n)",
        "call log.note(text: who)\ncall bank.pay(to: who, amount: 2)",
      ),
      "forall p in bank.pay: p.to == who",
    ],
    [
      "results of both",
      `${both("let a = call log.number()", "let b = call log.number()")}\ncall bank.pay(to: who, amount: a + b)`,
      "forall p in bank.pay: p.amount <= 20",
    ],
    [
      "a parallel loop over a known list",
      "for x in [1, 2] parallel carry all: int = 0 {\nlet r = call log.number()\nnext all = all + r\n}\ncall bank.pay(to: who, amount: all)",
      "forall p in bank.pay: p.amount <= 20",
    ],
    [
      "a parallel loop over any list",
      "let rows = call db.rows()\nfor r in rows parallel {\ncall ask.person(about: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}",
      "forall p in bank.pay: p.amount <= 20",
    ],
    [
      "a count over any list",
      "let rows = call db.rows()\nfor r in rows parallel {\ncall ask.person(about: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}",
      "count(p in bank.pay) == count(a in ask.person)",
    ],
    [
      "a fluent of one branch",
      both('call door.unlock(at: "a")\ncall door.enter(at: "a")', "call bank.spend(amount: 1)"),
      'final door.open["a"]',
    ],
  ])("%s", async (_, program, formula) => {
    expect(await certified(program, formula)).toBe("certified");
  });
});

describe("refused", () => {
  test.each([
    [
      "the order of single calls",
      both("call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
      "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
      "precedes",
    ],
    [
      "an automaton",
      both("call ask.person(about: who)", "call log.note(text: who)"),
      'automaton(states "s", "bad" start "s" on "s" p in bank.pay -> "bad" error "bad")',
      "automaton",
    ],
    [
      "every state",
      both('call door.unlock(at: "a")', "call log.note(text: who)"),
      'always(not now door.open["b"])',
      "always",
    ],
    [
      "a cell of both",
      both('call door.unlock(at: "a")', 'call door.unlock(at: "b")'),
      'final door.open["a"]',
      "door.open",
    ],
    [
      "a cell of one that the other needs",
      `call door.unlock(at: "a")\n${both('call door.enter(at: "a")', 'call door.unlock(at: "b")')}`,
      "true",
      "door.open",
    ],
    [
      "a cell of iterations",
      'for x in [1, 2] parallel {\ncall door.unlock(at: "a")\n}',
      'final door.open["a"]',
      "door.open",
    ],
    [
      "a cell of nested branches",
      both(both('call door.unlock(at: "a")', "call log.note(text: who)"), 'call door.lock(at: "b")'),
      "true",
      "door.open",
    ],
  ])("%s", async (_, program, formula, what) => {
    expect(await certified(program, formula)).toContain(`\`${what}\``);
  });
});

describe("not certified", () => {
  test.each([
    [
      "a sum that is not",
      both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 5)"),
      "sum(p in bank.pay: p.amount) == 7",
    ],
    [
      "what another branch requires",
      both('require n * 0 == 0: "any"\nrequire n > 1: "many"', 'require n > 0: "some"'),
      "true",
    ],
    ["what another iteration requires", 'for x in [2, 1] parallel {\nrequire n > x: "many"\n}', "true"],
    [
      "more calls than the list has",
      "let rows = call db.rows()\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}",
      "count(p in bank.pay) <= 3",
    ],
  ])("%s", async (_, program, formula) => {
    expect(await certified(program, formula)).not.toBe("certified");
  });
});

/** By the reason of each \`require\`: how many of those before it are assumed for it. */
function assumedFor(program: string): readonly number[] {
  const found = translate(documentOf(program, "true"));
  if (found.kind !== "plain") throw new Error(found.why);
  const required = found.obligations.filter(({ kind }) => kind === "require");
  return required.map(
    ({ assumptions }, i) => required.slice(0, i).filter(({ goal }) => assumptions.includes(goal)).length,
  );
}

test("what must hold in a branch is shown with nothing assumed of the others", () => {
  const [one, two, three] = ["n > 3", "n > 2", "n > 1"].map((what) => `require ${what}: "so"`);
  expect(assumedFor(`${one}\n${two}\n${three}`)).toEqual([0, 1, 2]);
  expect(assumedFor(`${one}\n${both(two ?? "", three ?? "")}`)).toEqual([0, 1, 1]);
  expect(assumedFor(`${both(one ?? "", two ?? "")}\n${three}`)).toEqual([0, 0, 2]);
  expect(assumedFor(`${both(both(one ?? "", two ?? ""), three ?? "")}`)).toEqual([0, 0, 0]);
  expect(assumedFor('for x in [3, 2, 1] parallel {\nrequire n > x: "so"\n}')).toEqual([0, 0, 0]);
  expect(assumedFor('for x in [3, 2, 1] {\nrequire n > x: "so"\n}')).toEqual([0, 1, 2]);
});
