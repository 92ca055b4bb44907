/** Automata over calls in loops, branches and tries: each program keeps the promise, and each change breaks it. */
import { afterAll, expect, it } from "vitest";
import { judge } from "../../src/ir/eval/formula.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { checkedOf } from "./documents.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `
tool db.rows() -> list<record{id: string, due: real, ok: bool}>
tool db.more() -> list<string>
tool desk.ok() -> bool
tool desk.ask(about: string) labels "talk"
tool desk.tell(about: string) labels "talk"
tool bank.pay(to: string, amount: real)
tool bank.confirm()
tool log.read(what: string)
`;

/** Nothing is paid that was not asked for: every question is good for one payment. */
const asked =
  'automaton(states "idle", "asked", "bad" start "idle" on "idle" p in bank.pay -> "bad" on "idle" a in desk.ask -> "asked" on "asked" p in bank.pay -> "idle" error "bad")';
/** At most two payments between two confirmations. */
const twice =
  'automaton(states "0", "1", "2", "bad" start "0" on "0" p in bank.pay -> "1" on "1" p in bank.pay -> "2" on "2" p in bank.pay -> "bad" on "1" c in bank.confirm -> "0" on "2" c in bank.confirm -> "0" error "bad")';
/** At most so many payments between two confirmations. */
function atMost(most: number): string {
  const states = Array.from({ length: most + 1 }, (_, i) => `"${i}"`);
  const on = states.map(
    (state, i) =>
      `on ${state} p in bank.pay -> ${states[i + 1] ?? '"bad"'} on ${state} c in bank.confirm -> "0"`,
  );
  return `automaton(states ${states.join(", ")}, "bad" start "0" ${on.join(" ")} error "bad")`;
}

/** After a large payment nothing is said any more. */
const quiet =
  'automaton(states "open", "shut", "bad" start "open" on "open" p in bank.pay where p.amount > limit -> "shut" on "shut" t in label "talk" -> "bad" error "bad")';

interface Pair {
  readonly name: string;
  readonly program: string;
  readonly formula: string;
  /** Changes of the program or the formula, each of which breaks the promise. */
  readonly wrong: readonly (readonly [from: string, to: string])[];
}

const each = (body: string) => `let rows = call db.rows()\nfor r in rows {\n${body}\n}`;
const ask = 'call desk.ask(about: "a")';
const pay = 'call bank.pay(to: "b", amount: 5)';
const counted = `let rows = call db.rows()
for r in rows carry n: int = 0 {
  call bank.confirm() when n == 5
  call bank.pay(to: r.id, amount: r.due)
  next n = if n == 5 then 1 else n + 1
}`;

const pairs: readonly Pair[] = [
  {
    name: "in one iteration",
    program: each(`${ask}\n${pay}`),
    formula: asked,
    wrong: [
      [`${ask}\n${pay}`, `${pay}\n${ask}`],
      [`${ask}\n${pay}`, `${ask}\n${pay}\n${pay}`],
      [ask, `${ask} when r.ok`],
      [ask, `${ask} catch f`],
    ],
  },
  {
    name: "from one iteration to the next",
    program: `${ask}\n${each(`${pay}\n${ask}`)}`,
    formula: asked,
    wrong: [
      [`${ask}\nlet`, "let"],
      [`${pay}\n${ask}\n}`, `${pay}\n${ask} when r.ok\n}`],
      [`${pay}\n${ask}\n}`, `${pay}\n}`],
      ['"asked" p in bank.pay -> "idle"', '"asked" p in bank.pay where p.amount > 4 -> "bad"'],
    ],
  },
  {
    name: "a loop before, which may have no iterations",
    program: `${each(ask)}\ncall bank.pay(to: "b", amount: 5) when length(rows) > 0`,
    formula: asked,
    wrong: [
      [" when length(rows) > 0", ""],
      ["length(rows) > 0", "length(rows) >= 0"],
      ["for r in rows", "for r in filter(rows, x => x.ok)"],
      [ask, `${ask} when r.ok`],
    ],
  },
  {
    name: "a flag that the loop carries",
    program: `let rows = call db.rows()
for r in rows carry has: bool = false {
  call desk.ask(about: r.id) when r.ok and not has
  let may = has or r.ok
  call bank.pay(to: r.id, amount: r.due) when may and r.due > 0
  next has = may and not (r.due > 0)
}`,
    formula: asked,
    wrong: [
      ["next has = may and not (r.due > 0)", "next has = may"],
      ["has: bool = false", "has: bool = true"],
      ["let may = has or r.ok", "let may = true"],
      ["r.ok and not has", "r.ok and not has and r.due > 1"],
    ],
  },
  {
    name: "the loop is left",
    program: `let rows = call db.rows()
for r in rows carry gone: bool = false {
  call bank.pay(to: r.id, amount: r.due) when not gone
  let big = not gone and r.due > limit
  call desk.tell(about: r.id) when not gone and not big
  next gone = gone or big
}`,
    formula: quiet,
    wrong: [
      ["next gone = gone or big", "next gone = big"],
      ["when not gone and not big", "when not gone"],
      ["r.due > limit", "r.due > limit + 1"],
      ["p.amount > limit", "p.amount >= limit"],
    ],
  },
  {
    name: "what comes after the loop knows how it was left",
    program: `let rows = call db.rows()
for r in rows carry gone: bool = false {
  call bank.pay(to: r.id, amount: r.due) when not gone
  next gone = gone or r.due > limit
}
call desk.tell(about: "end") when not gone`,
    formula: quiet,
    wrong: [
      ['about: "end") when not gone', 'about: "end")'],
      ["gone or r.due > limit", "gone or r.due > limit and r.ok"],
    ],
  },
  {
    name: "counting with a counter",
    program: `let rows = call db.rows()
for r in rows carry n: int = 0 {
  call bank.confirm() when n == 2
  call bank.pay(to: r.id, amount: r.due)
  next n = if n == 2 then 1 else n + 1
}`,
    formula: twice,
    wrong: [
      ["then 1 else", "then 0 else"],
      ["when n == 2", "when n == 3"],
      ["n: int = 0", "n: int = -1"],
      ["if n == 2 then", "if n == 3 then"],
    ],
  },
  {
    name: "counting within an iteration",
    program: each(`${pay}\n${pay}\ncall bank.confirm()`),
    formula: twice,
    wrong: [
      ["call bank.confirm()", "call bank.confirm() when r.ok"],
      ["call bank.confirm()", "call bank.confirm() catch f"],
      [`${pay}\n${pay}`, `${pay}\n${pay}\n${pay}`],
    ],
  },
  {
    name: "counting further with a counter",
    program: counted,
    formula: atMost(5),
    wrong: [
      ["n == 5", "n == 6"],
      ["n + 1", "n"],
      ["carry n: int = 0", "carry n: int = 0 - 1"],
      ["call bank.confirm() when n == 5", "call bank.confirm() when n == 5 catch f"],
    ],
  },
  {
    name: "counting far with a counter",
    program: counted.replaceAll("5", "12"),
    formula: atMost(12),
    wrong: [["call bank.confirm() when n == 12", "call bank.confirm() when n == 12 and r.ok"]],
  },
  {
    name: "counting down",
    program: `let rows = call db.rows()
for r in rows carry left: int = 4 {
  call bank.confirm() when left == 0
  call bank.pay(to: r.id, amount: r.due)
  next left = if left == 0 then 3 else left - 1
}`,
    formula: atMost(4),
    wrong: [
      ["left: int = 4", "left: int = 5"],
      ["then 3", "then 4"],
    ],
  },
  {
    name: "counting payments that may have failed",
    program: counted.replace("amount: r.due)", "amount: r.due) catch f"),
    formula: atMost(5),
    wrong: [["else n + 1", "else if f then n else n + 1"]],
  },
  {
    name: "counting as long as the list, which is cut",
    program:
      "let rows = call db.rows()\nfor r in slice(rows, 0, 5) {\ncall bank.pay(to: r.id, amount: r.due)\n}",
    formula: atMost(5),
    wrong: [["0, 5", "0, 6"]],
  },
  {
    name: "counting the first rows",
    program:
      "let rows = call db.rows()\nfor r, i in rows {\ncall bank.pay(to: r.id, amount: r.due) when i < 5\n}",
    formula: atMost(5),
    wrong: [["i < 5", "i <= 5"]],
  },
  {
    name: "counting before, in and after a loop",
    program: `${pay}\ncall bank.confirm()\n${each(`${pay}\ncall bank.confirm()`)}\n${pay}\n${pay}`,
    formula: twice,
    wrong: [
      [`${pay}\n${pay}`, `${pay}\n${pay}\n${pay}`],
      ["call bank.confirm()\n}", "}"],
    ],
  },
  {
    name: "loops in loops",
    program: `let rows = call db.rows()
let more = call db.more()
for r in rows {
  call desk.ask(about: r.id)
  for m in more carry due: bool = true {
    call bank.pay(to: m, amount: r.due) when due
    next due = false
  }
}`,
    formula: asked,
    wrong: [
      [" when due", ""],
      ["next due = false", "next due = not due"],
      ["call desk.ask(about: r.id)", "call desk.ask(about: r.id) when r.ok"],
    ],
  },
  {
    name: "an inner loop from any state of the outer one",
    program: `let rows = call db.rows()
let more = call db.more()
for r in rows {
  call bank.pay(to: r.id, amount: r.due)
  for m in more {
    call bank.confirm()
    call bank.pay(to: m, amount: 1)
  }
  call bank.confirm()
}`,
    formula: twice,
    wrong: [
      ["  call bank.confirm()\n}", "}"],
      ["    call bank.confirm()\n", ""],
      ["amount: 1)", "amount: 1)\ncall bank.pay(to: m, amount: 1)\ncall bank.pay(to: m, amount: 1)"],
    ],
  },
  {
    name: "two loops one after the other",
    program: `let rows = call db.rows()
for r in rows {
  call bank.pay(to: r.id, amount: 0 - 1)
}
for q in rows {
  call desk.tell(about: q.id)
}`,
    formula: `limit >= 0 implies ${quiet}`,
    wrong: [
      ["limit >= 0", "limit >= 0 - 2"],
      ["amount: 0 - 1", "amount: r.due"],
    ],
  },
  {
    name: "a failed call steps or does not",
    program: each("call desk.ask(about: r.id) catch f\ncall bank.pay(to: r.id, amount: 1) when not f"),
    formula: asked,
    wrong: [
      [" when not f", ""],
      [" when not f", " when f"],
      [" when not f", " when not f catch g\ncall bank.pay(to: r.id, amount: 1) when g"],
    ],
  },
  {
    name: "two automata",
    program: each(`${ask}\n${pay}\ncall bank.confirm()`),
    formula: `${asked} and ${twice}`,
    wrong: [
      ["call bank.confirm()", ""],
      [ask, ""],
    ],
  },
  {
    name: "one of two automata, by a flag",
    program: each(`call desk.ask(about: r.id) when flag\n${pay}\ncall bank.confirm() when not flag`),
    formula: `${asked} or ${twice}`,
    wrong: [
      ["when not flag", "when flag"],
      ["when flag", "when r.ok"],
    ],
  },
  {
    name: "if there is a call, the automaton breaks",
    program: `${pay}\n${each(ask)}`,
    formula: `not ${asked}`,
    wrong: [
      [pay, 'call bank.pay(to: "b", amount: 5) when flag'],
      [pay, `${ask}\n${pay}`],
    ],
  },
  {
    name: "an automaton that a loop breaks for certain",
    program: each(pay),
    formula: `(exists p in bank.pay: true) implies not ${asked}`,
    wrong: [
      [pay, `${ask}\n${pay}`],
      [pay, `call desk.ask(about: "x") when r.ok\n${pay}`],
    ],
  },
  {
    name: "an implication with another formula",
    program: each(`call desk.ask(about: r.id) when r.due > 0\ncall bank.pay(to: r.id, amount: r.due)`),
    formula: `(forall p in bank.pay: p.amount > 0) implies ${asked}`,
    wrong: [
      ["r.due > 0", "r.due > 1"],
      ["p.amount > 0", "p.amount >= 0"],
    ],
  },
  {
    name: "a state that is a text",
    program: `let rows = call db.rows()
for r in rows carry mode: enum{"idle", "asked"} = "idle" {
  call desk.ask(about: r.id) when mode == "idle"
  call bank.pay(to: r.id, amount: 1) when mode == "asked"
  next mode = if mode == "idle" then "asked" else "idle"
}`,
    formula: asked,
    wrong: [
      ['= "idle" {', '= "asked" {'],
      ['then "asked" else "idle"', 'then "asked" else "asked"'],
    ],
  },
];

async function verdictOf(program: string, formula: string) {
  const text = `effect-ir 1\n${tools}\nprogram (limit: real, flag: bool) {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const checked = checkedOf(text);
  const limits = { timeoutMs: 30_000, resources: 20_000_000 };
  const proof = await prove(checked, { solver: async () => solver, limits });
  const verdict = proof.guarantees[0]!.verdict;
  if (verdict.kind === "refuted")
    expect(judge(checked, checked.document.guarantees[0]!.formula!, verdict.run).kind).toBe("violated");
  return { said: verdict.kind === "unknown" ? `unknown: ${verdict.why}` : verdict.kind, proof };
}

it.each(pairs)("$name", { timeout: 120_000 }, async ({ program, formula, wrong }) => {
  expect((await verdictOf(program, formula)).said).toBe("proved");
  for (const [from, to] of wrong) {
    const changed = [program, formula].map((text) => text.replace(from, to)) as [string, string];
    expect(changed.join()).not.toBe([program, formula].join());
    expect((await verdictOf(...changed)).said, `${from} -> ${to}`).toBe("refuted");
  }
});
