/**
 * Proofs about concurrent calls, in pairs: a program that satisfies a guarantee, and an almost equal one that does
 * not. The second must not be proved, even with the search for runs switched off.
 */
import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../ir/index.ts";
import { z3Wasm } from "./decide/solver/z3-wasm.ts";
import { prove } from "./prove.ts";
import type { ProveOptions } from "./verdict.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const tools = `
fluent bank.spent[string]: int = 0
fluent door.open[string]: bool = false
fluent door.count[string]: int = 0
tool ask.person(about: string) -> bool
tool bank.pay(to: string, amount: int)
tool bank.spend(amount: int)
  requires now bank.spent["all"] + amount <= 100
  sets bank.spent["all"] = now bank.spent["all"] + amount
tool bank.reset()
  sets bank.spent["all"] = 0
tool door.unlock(at: string)
  sets door.open[at] = true
tool door.lock(at: string)
  sets door.open[at] = false
tool door.enter(at: string)
  requires now door.open[at]
tool log.note(text: string)
tool log.number() -> int
  ensures result >= 0 and result <= 10
tool db.rows() -> list<record{id: string, due: int, ok: bool}>
  ensures every(result, r => r.due >= 0 and r.due <= 20)
`;

const limits = { timeoutMs: 30_000, resources: 20_000_000 };

async function proofOf(program: string, formula: string, options: Partial<ProveOptions> = {}) {
  const text = `effect-ir 1\n${tools}\nprogram (who: string, n: int) {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return prove(read.value.checked, { solver: async () => solver, limits, ...options });
}

const both = (...branches: readonly string[]) =>
  `parallel {\n${branches.map((body) => `branch {\n${body}\n}`).join("\n")}\n}`;
const rows = "let rows = call db.rows()";

type Case = readonly [name: string, program: string, formula: string];

/** Proved, with no run looked for. */
const holds: readonly Case[] = [
  [
    "a sum of branches",
    both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 4)"),
    "sum(p in bank.pay: p.amount) == 7",
  ],
  [
    "only one person",
    both("call bank.pay(to: who, amount: 3)", "call log.note(text: who)\ncall bank.pay(to: who, amount: n)"),
    "forall p in bank.pay: p.to == who",
  ],
  [
    "a count of branches with conditions",
    both("call bank.pay(to: who, amount: 3) when n > 1", "call bank.pay(to: who, amount: 4) when n <= 1"),
    "count(p in bank.pay) == 1",
  ],
  [
    "a result of each branch, used after",
    `${both("let a = call log.number()", "let b = call log.number()")}\ncall bank.pay(to: who, amount: a + b)`,
    "forall p in bank.pay: p.amount <= 20",
  ],
  [
    "what is before comes first",
    `call ask.person(about: who)\n${both("call bank.pay(to: who, amount: 1)\ncall log.note(text: who)", "call bank.pay(to: who, amount: 2)")}`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "what is after comes later",
    `${both("call ask.person(about: who)", "call log.note(text: who)\ncall log.note(text: who)")}\ncall bank.pay(to: who, amount: 1)`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "single calls start in written order",
    both("call ask.person(about: who)", "let x = n\ncall bank.pay(to: who, amount: x)"),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "one branch has its own order",
    both(
      "call ask.person(about: who)\ncall bank.pay(to: who, amount: 1)",
      "call log.note(text: who)\ncall log.note(text: who)",
    ),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "one of two orders",
    both(
      "call ask.person(about: who)\ncall log.note(text: who)",
      "call bank.pay(to: who, amount: 1)\ncall log.note(text: who)",
    ),
    "forall p in bank.pay: forall a in ask.person: precedes(a, p) or precedes(p, a)",
  ],
  [
    "an automaton over one branch",
    both(
      "call ask.person(about: who)\ncall bank.pay(to: who, amount: 1)",
      "call log.note(text: who)\ncall log.note(text: who)",
    ),
    'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
  ],
  [
    "an automaton over single calls",
    both("call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
    'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
  ],
  [
    "an automaton that every order keeps",
    both(
      "call ask.person(about: who)\ncall log.note(text: who)",
      "call log.note(text: who)\ncall log.note(text: who)",
    ),
    'automaton(states "start", "once", "twice", "thrice", "bad" start "start" on "start" a in log.note -> "once" on "once" a in log.note -> "twice" on "twice" a in log.note -> "thrice" on "thrice" a in log.note -> "bad" error "bad")',
  ],
  [
    "a cell that one branch sets",
    both('call door.unlock(at: "a")\ncall door.enter(at: "a")', "call log.note(text: who)"),
    'final door.open["a"]',
  ],
  [
    "cells of different keys",
    both(
      'call door.unlock(at: "a")\ncall door.enter(at: "a")',
      'call door.lock(at: "b")\ncall log.note(text: who)',
    ),
    'final door.open["a"] and not final door.open["b"]',
  ],
  [
    "equal writes",
    both('call door.unlock(at: "a")', 'call door.unlock(at: "a")\ncall log.note(text: who)'),
    'final door.open["a"]',
  ],
  [
    "always, with branches that leave it alone",
    both('call door.unlock(at: "a")', "call log.note(text: who)\ncall bank.spend(amount: 1)"),
    'always(not now door.open["b"])',
  ],
  [
    "always, with a branch that sets nothing",
    both("call door.unlock(at: who)", "call log.note(text: who)\ncall log.note(text: who)"),
    'who == "b" or always(not now door.open["b"])',
  ],
  [
    "one of two requires after both",
    `${both('call door.unlock(at: "a")', "call log.note(text: who)")}\ncall door.enter(at: "a")`,
    "count(e in door.enter) == 1",
  ],
  [
    "nested branches",
    both(
      both("call bank.pay(to: who, amount: 1)", "call bank.pay(to: who, amount: 2)"),
      "call bank.pay(to: who, amount: 3)",
    ),
    "sum(p in bank.pay: p.amount) == 6",
  ],
  [
    "a loop in a branch",
    both("for x in [1, 2] {\ncall bank.pay(to: who, amount: x)\n}", "call bank.pay(to: who, amount: 3)"),
    "sum(p in bank.pay: p.amount) == 6",
  ],
  [
    "branches in a loop, one iteration after the other",
    `for x in [1, 2] {\n${both("call ask.person(about: who)\ncall log.note(text: who)", "call log.note(text: who)")}\ncall bank.pay(to: who, amount: x)\n}`,
    "count(a in ask.person) == count(p in bank.pay)",
  ],
  [
    "a parallel loop over a known list",
    "for x in [1, 2, 3] parallel {\ncall bank.pay(to: who, amount: x)\n}",
    "sum(p in bank.pay: p.amount) == 6",
  ],
  [
    "single calls of a parallel loop in the order of the list",
    "for x in [1, 2, 3] parallel {\ncall bank.pay(to: who, amount: x)\n}",
    "forall p in bank.pay: forall q in bank.pay: not precedes(p, q) or p.amount < q.amount",
  ],
  [
    "what a parallel loop carries",
    "for x in [1, 2, 3] parallel carry all: int = 0 {\nlet r = call log.number()\nnext all = all + r\n}\ncall bank.pay(to: who, amount: all)",
    "forall p in bank.pay: p.amount <= 30",
  ],
  [
    "each call of a parallel loop over any list",
    `${rows}\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    "forall p in bank.pay: p.amount <= 20",
  ],
  [
    "each call of iterations that wait twice",
    `${rows}\nfor r in rows parallel {\nlet ok = call ask.person(about: r.id)\ncall bank.pay(to: r.id, amount: r.due) when ok\n}`,
    "forall p in bank.pay: exists a in ask.person: a.about == p.to",
  ],
  [
    "the order within an iteration",
    `${rows}\nfor r in rows parallel {\nlet ok = call ask.person(about: r.id)\ncall bank.pay(to: r.id, amount: r.due) when ok\n}`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p) and a.about == p.to",
  ],
  [
    "a count over any list",
    `${rows}\nfor r in rows parallel {\ncall ask.person(about: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    "count(a in ask.person) == count(p in bank.pay)",
  ],
  [
    "what a parallel loop over any list carries",
    `${rows}\nfor r in rows parallel carry all: int = 0 {\nlet x = call log.number()\nnext all = all + 1\n}\ncall bank.pay(to: who, amount: all)`,
    "sum(p in bank.pay: p.amount) == count(x in log.number)",
  ],
  [
    "single calls over any list in its order",
    `${rows}\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}\ncall log.note(text: who)`,
    "forall l in log.note: forall p in bank.pay: precedes(p, l)",
  ],
  [
    "an automaton over single calls of any list",
    `call ask.person(about: who)\n${rows}\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
  ],
  [
    "an order over any list, with branches",
    `${rows}\nfor r in rows {\n${both("call log.note(text: who)\ncall ask.person(about: who)", "call log.note(text: who)")}\ncall bank.pay(to: who, amount: 1)\n}`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "cells of keys that are not known, set alike",
    both("call door.unlock(at: who)", 'call door.unlock(at: "a")\ncall log.note(text: who)'),
    'final door.open["a"] and final door.open[who]',
  ],
  [
    "a cell that one iteration after the other sets",
    `${rows}\nfor r in rows {\n${both('call door.unlock(at: "a")', "call log.note(text: who)")}\n}`,
    'not final door.open["b"]',
  ],
  [
    "what a branch needs of a single other, done before",
    `call door.unlock(at: "a")\n${both('call door.enter(at: "a")', "call log.note(text: who)")}`,
    "count(e in door.enter) == 1",
  ],
];

/** Not proved, also with no run looked for. */
const breaks: readonly Case[] = [
  [
    "a sum that one branch exceeds",
    both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 5)"),
    "sum(p in bank.pay: p.amount) == 7",
  ],
  [
    "another person in the second branch",
    both("call bank.pay(to: who, amount: 3)", 'call log.note(text: who)\ncall bank.pay(to: "x", amount: n)'),
    "forall p in bank.pay: p.to == who",
  ],
  [
    "the other way round",
    both(
      "call ask.person(about: who)\ncall log.note(text: who)",
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
    ),
    "forall p in bank.pay: forall a in ask.person: precedes(p, a)",
  ],
  [
    "never the other way round",
    both(
      "call log.note(text: who)\ncall ask.person(about: who)",
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
    ),
    "forall p in bank.pay: forall a in ask.person: not precedes(p, a)",
  ],
  [
    "single calls the other way round",
    both("call bank.pay(to: who, amount: 1)", "call ask.person(about: who)"),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "a single call beside two",
    both("call log.note(text: who)\ncall ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "an automaton over both branches",
    both(
      "call log.note(text: who)\ncall ask.person(about: who)",
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
    ),
    'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
  ],
  [
    "an automaton that one order breaks, denied",
    both(
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
      "call log.note(text: who)\ncall ask.person(about: who)",
    ),
    'not automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
  ],
  [
    "an automaton that counts to three",
    both(
      "call ask.person(about: who)\ncall log.note(text: who)\ncall log.note(text: who)",
      "call log.note(text: who)\ncall log.note(text: who)",
    ),
    'automaton(states "start", "once", "twice", "thrice", "bad" start "start" on "start" a in log.note -> "once" on "once" a in log.note -> "twice" on "twice" a in log.note -> "thrice" on "thrice" a in log.note -> "bad" error "bad")',
  ],
  [
    "a cell that both set, the first wins",
    both('call door.unlock(at: "a")', 'call door.lock(at: "a")'),
    'final door.open["a"]',
  ],
  [
    "a cell that both set, the last wins",
    both('call door.unlock(at: "a")', 'call door.lock(at: "a")'),
    'not final door.open["a"]',
  ],
  [
    "cells of keys that may be one",
    both(
      'call door.unlock(at: "a")\ncall log.note(text: who)',
      "call door.lock(at: who)\ncall log.note(text: who)",
    ),
    'final door.open["a"]',
  ],
  [
    "a budget that both look at",
    both("call bank.spend(amount: 60)", "call bank.spend(amount: 60)"),
    "count(s in bank.spend) == 1",
  ],
  [
    "a lost update",
    both("call bank.spend(amount: 1)", "call bank.spend(amount: 1)"),
    'final bank.spent["all"] == 2',
  ],
  [
    "always, with a branch that opens",
    both("call log.note(text: who)", 'call log.note(text: who)\ncall door.unlock(at: "b")'),
    'always(not now door.open["b"])',
  ],
  [
    "always, with states of two branches",
    both(
      'call door.unlock(at: "a")\ncall door.lock(at: "a")',
      'call door.unlock(at: "b")\ncall door.lock(at: "b")',
    ),
    'always(not (now door.open["a"] and now door.open["b"]))',
  ],
  [
    "always, with a state that only the other order has",
    both(
      'call door.unlock(at: "a")\ncall log.note(text: who)',
      'call door.unlock(at: "b")\ncall log.note(text: who)',
    ),
    'always(now door.open["a"] or not now door.open["b"])',
  ],
  [
    "a loop in a branch beside a call",
    both(
      "for x in [1, 2] {\ncall log.note(text: who)\ncall ask.person(about: who)\n}",
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
    ),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "branches of one iteration",
    `for x in [1, 2] {\n${both("call log.note(text: who)\ncall ask.person(about: who)", "call log.note(text: who)\ncall bank.pay(to: who, amount: x)")}\n}`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "iterations of a known list that wait twice",
    "for x in [1, 2] parallel {\ncall log.note(text: who)\ncall bank.pay(to: who, amount: x)\n}",
    "forall p in bank.pay: forall q in bank.pay: not precedes(p, q) or p.amount < q.amount",
  ],
  [
    "iterations of any list that wait twice",
    `${rows}\nfor r in rows parallel {\ncall log.note(text: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    "forall p in bank.pay: forall l in log.note: precedes(l, p)",
  ],
  [
    "one iteration ends before another begins",
    `${rows}\nfor r in rows parallel {\ncall log.note(text: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    'automaton(states "start", "noted", "bad" start "start" on "start" a in log.note -> "noted" on "noted" p in bank.pay -> "start" on "noted" a in log.note -> "bad" error "bad")',
  ],
  [
    "a cell that iterations set to different values",
    'for x in [1, 2] parallel {\ncall door.unlock(at: "a") when x == 1\ncall door.lock(at: "a") when x == 2\n}',
    'not final door.open["a"]',
  ],
  [
    "a cell that iterations of any list set to different values",
    `${rows}\nfor r in rows parallel {\ncall door.unlock(at: "a") when r.ok\ncall door.lock(at: "a") when not r.ok\n}`,
    'count(d in door.lock) == 0 or count(d in door.lock) > 1 or count(d in door.unlock) > 1 or (not final door.open["a"])',
  ],
  [
    "always, over iterations at the same time",
    `${rows}\nfor r in rows parallel {\ncall door.unlock(at: r.id)\ncall door.lock(at: r.id)\n}`,
    'always(not (now door.open["a"] and now door.open["b"]))',
  ],
  [
    "nested branches, outer order",
    both(
      both("call log.note(text: who)\ncall ask.person(about: who)", "call log.note(text: who)"),
      "call bank.pay(to: who, amount: 1)",
    ),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "branches of an iteration over any list",
    `${rows}\nfor r in rows {\n${both("call log.note(text: who)\ncall ask.person(about: who)", "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)")}\n}`,
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "more calls than the list has",
    `${rows}\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    "count(p in bank.pay) <= 3",
  ],
];

const marks = (body: string) => `${rows}\nfor r in rows parallel {\n${body}\n}`;
const allOpen = "forall r in rows db.rows: final door.open[r.id]";

/** Cells that every order leaves alike, and twins of which some order leaves others. */
const marked: readonly (readonly [string, string, string, "proved" | "not proved"])[] = [
  ["every element is marked", marks("call door.unlock(at: r.id)"), allOpen, "proved"],
  ["and noted", marks("call log.note(text: r.id)\ncall door.unlock(at: r.id)"), allOpen, "proved"],
  ["only some are marked", marks("call door.unlock(at: r.id) when r.ok"), allOpen, "not proved"],
  [
    "some are marked otherwise",
    marks("call door.unlock(at: r.id)\ncall door.lock(at: r.id) when not r.ok"),
    "forall r in rows db.rows: not r.ok or final door.open[r.id]",
    "not proved",
  ],
  [
    "the first mark is taken back",
    marks("call door.lock(at: r.id)\ncall door.unlock(at: r.id)"),
    allOpen,
    "not proved",
  ],
  ["a mark may fail", marks("call door.unlock(at: r.id) catch bad"), allOpen, "not proved"],
  [
    "another branch takes marks back",
    `${rows}\n${both("for r in rows parallel {\ncall door.unlock(at: r.id)\n}", "call door.lock(at: who)")}`,
    allOpen,
    "not proved",
  ],
  [
    "another branch leaves marks alone",
    `${rows}\n${both("for r in rows parallel {\ncall door.unlock(at: r.id)\n}", "call bank.spend(amount: 1)")}`,
    allOpen,
    "proved",
  ],
  ["nothing else is marked", marks('call door.unlock(at: "a")'), 'not final door.open["b"]', "proved"],
  ["something else may be", marks("call door.unlock(at: r.id)"), 'not final door.open["b"]', "not proved"],
  [
    "counters",
    marks("call bank.spend(amount: 1)"),
    'final bank.spent["all"] == count(s in bank.spend)',
    "not proved",
  ],
];

describe("cells that iterations set", () => {
  it.each(marked)("%s", async (_, program, formula, expected) => {
    const { guarantees } = await proofOf(program, formula, { likely: "omitted" });
    expect(guarantees[0]?.verdict.kind === "proved" ? "proved" : "not proved").toBe(expected);
  });
});

describe("proved", () => {
  it.each(holds)("%s", async (_, program, formula) => {
    const { guarantees, obligations } = await proofOf(program, formula, { likely: "omitted" });
    expect(guarantees[0]?.verdict).toMatchObject({ kind: "proved" });
    expect(obligations.filter(({ verdict }) => verdict.kind !== "proved")).toEqual([]);
  });
});

describe("not proved", () => {
  it.each(breaks)("%s", async (_, program, formula) => {
    const { guarantees } = await proofOf(program, formula, { likely: "omitted" });
    expect(guarantees[0]?.verdict.kind).not.toBe("proved");
  });
});

/** Not proved, and true of every run: only single calls are known to start in written order. */
const undecided: readonly Case[] = [
  [
    "two calls in branches that wait",
    both(
      "call ask.person(about: who)\ncall log.note(text: who)",
      "call log.note(text: who)\ncall bank.pay(to: who, amount: 1)",
    ),
    "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
  ],
  [
    "the last write of every iteration",
    `${rows}\nfor r in rows parallel {\ncall door.unlock(at: "a")\ncall door.lock(at: "a")\n}`,
    'not final door.open["a"]',
  ],
];

describe("not decided", () => {
  it.each(undecided)("%s", async (_, program, formula) => {
    const { guarantees } = await proofOf(program, formula);
    expect(guarantees[0]?.verdict).toMatchObject({ kind: "unknown" });
  });
});

describe("refuted", () => {
  it.each(breaks)("%s", async (_, program, formula) => {
    const { guarantees } = await proofOf(program, formula);
    expect(guarantees[0]?.verdict).toMatchObject({ kind: "refuted" });
  });
});

/** The tool or the condition whose obligation is not proved; none if all are. */
async function neededIn(program: string): Promise<readonly string[]> {
  const { obligations } = await proofOf(program, "true", { likely: "omitted" });
  return obligations.flatMap(({ obligation: { fact, kind }, verdict }) =>
    verdict.kind === "proved" ? [] : [fact?.tool.name ?? kind],
  );
}

describe("what branches need", () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      "what was opened before",
      `call door.unlock(at: "a")\n${both('call door.enter(at: "a")', "call log.note(text: who)")}`,
      [],
    ],
    [
      "what another branch opens",
      both('call door.unlock(at: "a")', 'call door.enter(at: "a")'),
      ["door.enter"],
    ],
    [
      "what another branch locks",
      `call door.unlock(at: "a")\n${both('call door.lock(at: "a")', 'call door.enter(at: "a")')}`,
      ["door.enter"],
    ],
    [
      "what another branch, written later, locks",
      `call door.unlock(at: "a")\n${both('call door.enter(at: "a")', 'call door.lock(at: "a")')}`,
      ["door.enter"],
    ],
    [
      "another door",
      `call door.unlock(at: "a")\n${both('call door.lock(at: "b")', 'call door.enter(at: "a")')}`,
      [],
    ],
    [
      "a door that may be the same",
      `call door.unlock(at: "a")\n${both("call door.lock(at: who)", 'call door.enter(at: "a")')}`,
      ["door.enter"],
    ],
    [
      "a door opened in the branch itself, locked by another",
      both('call door.unlock(at: "a")\ncall door.enter(at: "a")', 'call door.lock(at: "a")'),
      ["door.enter"],
    ],
    [
      "a budget for both",
      both("call bank.spend(amount: 60)", "call bank.spend(amount: 60)"),
      ["bank.spend", "bank.spend"],
    ],
    [
      "a small budget for both",
      both("call bank.spend(amount: 1)", "call bank.spend(amount: 1)"),
      ["bank.spend", "bank.spend"],
    ],
    ["a budget, one after the other", "call bank.spend(amount: 40)\ncall bank.spend(amount: 60)", []],
    [
      "what another branch requires",
      both('require n > 1: "many"', 'require n > 0: "some"'),
      ["require", "require"],
    ],
    [
      "what another branch requires and uses",
      both('require n > 1: "many"\nrequire n > 0: "some"', 'require n > 0: "some"'),
      ["require", "require"],
    ],
    [
      "what another branch ensures",
      both(
        'let a = call log.number()\nrequire a >= 0: "ok"\ncall door.unlock(at: "a")\nrequire a <= 10: "few"',
        'require n > 0: "some"',
      ),
      ["require"],
    ],
    [
      "what was required before",
      `require n > 1: "many"\n${both("call log.note(text: who)", 'require n > 0: "some"')}`,
      ["require"],
    ],
    [
      "what another iteration requires",
      'for x in [2, 1] parallel {\nrequire n > x: "many"\n}',
      ["require", "require"],
    ],
    [
      "what earlier iterations of any list require",
      `${rows}\nfor r, i in rows parallel carry c: int = 0 {\nrequire i <= 3: "few"\nrequire i <= 2: "fewer"\nnext c = c + 1\n}`,
      ["require", "require"],
    ],
    [
      "what other iterations lock",
      `${rows}\nfor r in rows parallel {\ncall door.unlock(at: r.id)\ncall door.enter(at: r.id)\ncall door.lock(at: r.id)\n}`,
      ["door.enter"],
    ],
    [
      "what one iteration after the other opens",
      `${rows}\nfor r in rows {\ncall door.unlock(at: r.id)\ncall door.enter(at: r.id)\ncall door.lock(at: r.id)\n}`,
      [],
    ],
    [
      "what other iterations leave alone",
      `call door.unlock(at: who)\n${rows}\nfor r in rows parallel {\ncall log.note(text: r.id)\ncall door.enter(at: who)\n}`,
      [],
    ],
  ])("%s", async (_, program, needed) => {
    expect(await neededIn(program)).toEqual(needed);
  });
});

describe("where a run stops early", () => {
  const stops = async (program: string, formula: string) => {
    const { guarantees } = await proofOf(program, formula);
    expect(guarantees[0]?.verdict).toMatchObject({ kind: "proved" });
    return guarantees[0]?.interruption?.kind;
  };
  it.each<readonly [string, string, string, "safe" | "open"]>([
    [
      "only one person",
      both(
        "call bank.pay(to: who, amount: 3)",
        "call log.note(text: who)\ncall bank.pay(to: who, amount: n)",
      ),
      "forall p in bank.pay: p.to == who",
      "safe",
    ],
    [
      "at most so much",
      both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 4)"),
      "sum(p in bank.pay: p.amount) <= 7",
      "safe",
    ],
    [
      "at most so much over any list",
      `${rows}\nfor r in rows parallel {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
      "forall p in bank.pay: p.amount <= 20",
      "safe",
    ],
    [
      "exactly so much",
      both("call bank.pay(to: who, amount: 3)", "call bank.pay(to: who, amount: 4)"),
      "sum(p in bank.pay: p.amount) == 7",
      "open",
    ],
    [
      "no payment without a question before it, which may fail beside it",
      both("call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
      "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
      "open",
    ],
    [
      "no payment without a question before the branches",
      `call ask.person(about: who)\n${both("call bank.pay(to: who, amount: 1)", "call bank.pay(to: who, amount: 2)")}`,
      "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
      "safe",
    ],
    [
      "no payment without a question in the same branch",
      both("call ask.person(about: who)\ncall bank.pay(to: who, amount: 1)", "call log.note(text: who)"),
      "forall p in bank.pay: exists a in ask.person: precedes(a, p)",
      "safe",
    ],
    [
      "an automaton over single calls, of which the first may fail",
      both("call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
      'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
      "open",
    ],
    [
      "an automaton over one branch",
      both("call ask.person(about: who)\ncall bank.pay(to: who, amount: 1)", "call log.note(text: who)"),
      'automaton(states "start", "asked", "bad" start "start" on "start" a in ask.person -> "asked" on "start" p in bank.pay -> "bad" error "bad")',
      "safe",
    ],
    [
      "no more payments than questions, beside them",
      both("call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
      "count(p in bank.pay) <= count(a in ask.person)",
      "open",
    ],
    [
      "no more payments than questions, before them",
      `call ask.person(about: who)\ncall ask.person(about: who)\n${both("call bank.pay(to: who, amount: 1)", "call bank.pay(to: who, amount: 2)")}`,
      "count(p in bank.pay) <= count(a in ask.person)",
      "safe",
    ],
    [
      "no more payments than questions, after branches",
      `${both("call ask.person(about: who)", "call log.note(text: who)")}\ncall bank.pay(to: who, amount: 1)`,
      "count(p in bank.pay) <= count(a in ask.person)",
      "safe",
    ],
    [
      "no more payments than questions, after inner branches",
      both(
        `${both("call ask.person(about: who)", "call log.note(text: who)")}\ncall bank.pay(to: who, amount: 1)`,
        "call log.note(text: who)",
      ),
      "count(p in bank.pay) <= count(a in ask.person)",
      "safe",
    ],
    [
      "no more payments than questions, beside inner branches",
      both(
        both("call ask.person(about: who)", "call log.note(text: who)"),
        "call bank.pay(to: who, amount: 1)",
      ),
      "count(p in bank.pay) <= count(a in ask.person)",
      "open",
    ],
    [
      "no more payments than questions, before a further call",
      `call ask.person(about: who)\n${both("call bank.pay(to: who, amount: 1)", "call log.note(text: who)")}\n${rows}`,
      "count(p in bank.pay) <= count(a in ask.person)",
      "safe",
    ],
    [
      "a payment has its answer, with the question beside it",
      both("let a = call ask.person(about: who)", "call bank.pay(to: who, amount: 1)"),
      "forall p in bank.pay: exists a in ask.person: precedes(a, p) and isSome(result(a))",
      "open",
    ],
  ])("%s", async (_, program, formula, left) => {
    expect(await stops(program, formula)).toBe(left);
  });
});

describe("why not", () => {
  const many = (count: number) => Array.from({ length: count }, () => "call log.note(text: who)").join("\n");
  const counting = (states: number) => {
    const names = Array.from({ length: states }, (_, i) => `"${i}"`);
    const on = names.slice(1).map((to, i) => `on "${i}" l in log.note -> ${to}`);
    return `automaton(states ${names.join(", ")} start "0" ${on.join(" ")} error ${names.at(-1)})`;
  };
  it.each([
    [
      "too many orders",
      both(many(8), many(8)),
      counting(20),
      "an automaton over calls, `log.note` among them, in several branches of a parallel command is not supported",
    ],
    [
      "iterations of any list",
      `${rows}\nfor r in rows parallel {\n${many(2)}\n}`,
      counting(3),
      "an automaton over calls, `log.note` among them, in several iterations of a parallel loop is not supported",
    ],
  ])("%s", async (_, program, formula, why) => {
    const { guarantees } = await proofOf(program, formula, { likely: "omitted" });
    expect(guarantees[0]?.verdict).toMatchObject({ kind: "unknown", why });
  });
});
