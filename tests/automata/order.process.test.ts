/**
 * The order of two kinds of calls, in branches and in loops over unknown lists: each program keeps the guarantee, and
 * each change breaks it.
 */
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
tool desk.approve(what: string)
tool desk.escalate(what: string) labels "desk"
tool desk.grant(what: string, most: real)
tool desk.agree(what: string) -> bool
tool bank.pay(to: string, amount: real)
tool log.read(what: string)
`;

const before = "forall p in bank.pay: exists a in desk.approve: precedes(a, p)";
const matching = "forall p in bank.pay: exists a in desk.approve: precedes(a, p) and a.what == p.to";
const neverAfter = "forall p in bank.pay: forall e in desk.escalate: not precedes(e, p)";

interface Pair {
  readonly name: string;
  readonly program: string;
  readonly formula: string;
  readonly wrong: readonly (readonly [from: string, to: string])[];
}

const rows = "let rows = call db.rows()\n";

const pairs: readonly Pair[] = [
  {
    name: "before, in branches",
    program:
      'let yes = call desk.ok()\ncall desk.approve(what: "x") when yes\ncall bank.pay(to: "x", amount: 1) when yes',
    formula: before,
    wrong: [
      ["amount: 1) when yes", "amount: 1)"],
      ['what: "x") when yes', 'what: "x") when not yes'],
      ['call desk.approve(what: "x") when yes\n', 'call desk.approve(what: "x") when yes catch f\n'],
    ],
  },
  {
    name: "before, by either branch",
    program:
      'let yes = call desk.ok()\ncall desk.approve(what: "x") when yes\ncall desk.approve(what: "y") when not yes\ncall bank.pay(to: "x", amount: 1)',
    formula: before,
    wrong: [["when not yes", "when yes"]],
  },
  {
    name: "before, in one loop",
    program: `${rows}for r in rows {\ncall desk.approve(what: r.id)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    formula: before,
    wrong: [
      ["call desk.approve(what: r.id)\n", "call desk.approve(what: r.id) when r.ok\n"],
      [
        "call desk.approve(what: r.id)\ncall bank.pay(to: r.id, amount: r.due)",
        "call bank.pay(to: r.id, amount: r.due)\ncall desk.approve(what: r.id)",
      ],
    ],
  },
  {
    name: "before, only from the second row on",
    program: `${rows}for r, i in rows {\ncall bank.pay(to: r.id, amount: r.due) when i > 0\ncall desk.approve(what: r.id)\n}`,
    formula: before,
    wrong: [
      ["when i > 0", "when i >= 0"],
      ["call desk.approve(what: r.id)", "call desk.approve(what: r.id) when r.ok"],
    ],
  },
  {
    name: "before, by the first row",
    program: `${rows}for r in rows carry first: bool = true {\ncall desk.approve(what: r.id) when first\ncall bank.pay(to: r.id, amount: r.due)\nnext first = false\n}`,
    formula: before,
    wrong: [
      ["when first", "when not first"],
      ["first: bool = true", "first: bool = false"],
      ["when first", "when first and r.ok"],
    ],
  },
  {
    name: "before, in two loops over one list",
    program: `${rows}for r in rows {\ncall desk.approve(what: r.id)\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due)\n}`,
    formula: before,
    wrong: [
      ["call desk.approve(what: r.id)", "call desk.approve(what: r.id) when r.ok"],
      ["for r in rows", "for r in filter(rows, x => x.due > 0)"],
      ["for q in rows {\n", "let more = call db.rows()\nfor q in more {\n"],
    ],
  },
  {
    name: "before, in two loops of which the first may have no rows",
    program: `${rows}let more = call db.more()\nfor m in more {\ncall desk.approve(what: m)\n}\nlet any = length(more) > 0\nfor r in rows {\ncall bank.pay(to: r.id, amount: r.due) when any\n}`,
    formula: before,
    wrong: [
      [" when any", ""],
      ["length(more) > 0", "length(more) >= 0"],
    ],
  },
  {
    name: "before, in two loops with a flag",
    program: `${rows}for r in rows carry seen: bool = false {\ncall desk.approve(what: r.id) when r.ok\nnext seen = seen or r.ok\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due) when seen\n}`,
    formula: before,
    wrong: [
      [" when seen", ""],
      ["seen or r.ok", "seen or r.due > 0"],
      ["seen: bool = false", "seen: bool = true"],
    ],
  },
  {
    name: "before, once in front of a loop",
    program: `${rows}call desk.approve(what: "all")\nfor r in rows {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    formula: before,
    wrong: [
      ['what: "all")', 'what: "all") when length(rows) > 1'],
      ['what: "all")', 'what: "all") catch f'],
    ],
  },
  {
    name: "before, only where the loop has rows",
    program: `${rows}call desk.approve(what: "all") when length(rows) > 0\nfor r in rows {\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    formula: before,
    wrong: [["> 0", "> 1"]],
  },
  {
    name: "before, in loops in loops",
    program: `${rows}let more = call db.more()\nfor r in rows {\ncall desk.approve(what: r.id)\nfor m in more {\ncall bank.pay(to: m, amount: r.due)\n}\n}`,
    formula: before,
    wrong: [["call desk.approve(what: r.id)", "call desk.approve(what: r.id) when r.ok"]],
  },
  {
    name: "before, by an inner loop that may have no rows",
    program: `${rows}let more = call db.more()\nfor r in rows {\nfor m in more {\ncall desk.approve(what: m)\n}\ncall bank.pay(to: r.id, amount: r.due) when length(more) > 0\n}`,
    formula: before,
    wrong: [[" when length(more) > 0", ""]],
  },
  {
    name: "the matching call before, in one iteration",
    program: `${rows}for r in rows {\ncall desk.approve(what: r.id) when r.ok\ncall bank.pay(to: r.id, amount: r.due) when r.ok\n}`,
    formula: matching,
    wrong: [
      ["what: r.id) when r.ok", "what: r.id) when r.due > 0"],
      ["what: r.id)", 'what: "x")'],
      [" when r.ok\ncall bank", " when r.ok catch f\ncall bank"],
    ],
  },
  {
    name: "the matching call before, in two loops over one list",
    program: `${rows}for r in rows {\ncall desk.approve(what: r.id)\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due)\n}`,
    formula: matching,
    wrong: [
      ["call desk.approve(what: r.id)", "call desk.approve(what: r.id) when r.ok"],
      ["to: q.id", 'to: "x"'],
      ["for q in rows {\n", "let more = call db.rows()\nfor q in more {\n"],
    ],
  },
  {
    name: "the matching call before, of a filtered list",
    program: `${rows}for r in filter(rows, x => x.ok) {\ncall desk.approve(what: r.id)\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due) when q.ok\n}`,
    formula: matching,
    wrong: [
      [" when q.ok", ""],
      ["x => x.ok", "x => not x.ok"],
    ],
  },
  {
    name: "the matching call before, in an inner loop",
    program: `${rows}let more = call db.more()\nfor r in rows {\nfor m in more {\ncall desk.approve(what: m)\ncall bank.pay(to: m, amount: r.due)\n}\n}`,
    formula: matching,
    wrong: [["what: m", "what: r.id"]],
  },
  {
    name: "the matching call before, of the outer loop",
    program: `${rows}let more = call db.more()\nfor r in rows {\ncall desk.approve(what: r.id)\nfor m in more {\ncall bank.pay(to: r.id, amount: 1)\n}\n}`,
    formula: matching,
    wrong: [["to: r.id", "to: m"]],
  },
  {
    name: "never after, in branches",
    program:
      'let yes = call desk.ok()\ncall desk.escalate(what: "x") when yes\ncall bank.pay(to: "x", amount: 1) when not yes',
    formula: neverAfter,
    wrong: [
      [" when not yes", ""],
      [" when not yes", " when yes"],
      ['what: "x") when yes', 'what: "x")'],
    ],
  },
  {
    name: "never after a call that fails",
    program:
      'call desk.escalate(what: "x") when false\ncall desk.approve(what: "x") catch f\ncall desk.escalate(what: "x") when f\ncall bank.pay(to: "x", amount: 1) when not f',
    formula: neverAfter,
    wrong: [
      [" when not f", ""],
      ['what: "x") when f\n', 'what: "x") catch g\n'],
    ],
  },
  {
    name: "never after, in one loop that is left",
    program: `${rows}for r in rows carry off: bool = false {\ncall bank.pay(to: r.id, amount: r.due) when not off\nlet big = not off and r.due > 100\ncall desk.escalate(what: r.id) when big\nnext off = off or big\n}`,
    formula: neverAfter,
    wrong: [
      ["next off = off or big", "next off = big"],
      ["when not off\n", "\n"],
      [
        "off: bool = false {\ncall bank.pay(to: r.id, amount: r.due) when not off\nlet big = not off and r.due > 100",
        "off: bool = false {\nlet big = not off and r.due > 100\ncall bank.pay(to: r.id, amount: r.due)",
      ],
    ],
  },
  {
    name: "never after, in two loops",
    program: `${rows}let more = call db.more()\nfor r in rows {\ncall bank.pay(to: r.id, amount: r.due)\n}\nfor m in more {\ncall desk.escalate(what: m)\n}`,
    formula: neverAfter,
    wrong: [
      ["call desk.escalate(what: m)", "call desk.escalate(what: m)\ncall bank.pay(to: m, amount: 1)"],
      [
        "call bank.pay(to: r.id, amount: r.due)",
        "call bank.pay(to: r.id, amount: r.due)\ncall desk.escalate(what: r.id)",
      ],
    ],
  },
  {
    name: "never after, if nothing was escalated in an earlier loop",
    program: `${rows}for r in rows carry bad: bool = false {\ncall desk.escalate(what: r.id) when r.due > 100\nnext bad = bad or r.due > 100\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due) when not bad\n}`,
    formula: neverAfter,
    wrong: [
      [" when not bad", ""],
      ["bad or r.due > 100", "r.due > 100"],
    ],
  },
  {
    name: "never after, in loops in loops",
    program: `${rows}let more = call db.more()\nfor r in rows carry off: bool = false {\nfor m in more {\ncall bank.pay(to: m, amount: 1) when not off\n}\ncall desk.escalate(what: r.id) when r.ok\nnext off = off or r.ok\n}`,
    formula: neverAfter,
    wrong: [
      [" when not off", ""],
      ["next off = off or r.ok", "next off = r.ok"],
    ],
  },
  {
    name: "the matching call before, of a list that a loop collects",
    program: `${rows}for r in rows carry good: list<string> = [] {\ncall desk.approve(what: r.id) when r.ok\nnext good = if r.ok then good ++ [r.id] else good\n}\nfor g in good {\ncall bank.pay(to: g, amount: 1)\n}`,
    formula: matching,
    wrong: [
      ["if r.ok then", "if r.due > 0 then"],
      ["good: list<string> = []", 'good: list<string> = ["x"]'],
    ],
  },
  {
    name: "two things that match",
    program: `${rows}for r in rows {\ncall desk.grant(what: r.id, most: r.due)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    formula:
      "forall p in bank.pay: exists a in desk.grant: precedes(a, p) and a.what == p.to and a.most == p.amount",
    wrong: [
      ["most: r.due", "most: r.due + 1"],
      ["what: r.id", 'what: "x"'],
    ],
  },
  {
    name: "a limit that was granted before",
    program: `${rows}for r in rows {\ncall desk.grant(what: r.id, most: r.due + 1)\ncall bank.pay(to: r.id, amount: r.due)\n}`,
    formula:
      "forall p in bank.pay: exists a in desk.grant: precedes(a, p) and a.what == p.to and p.amount <= a.most",
    wrong: [
      ["r.due + 1", "r.due - 1"],
      ["what: r.id", 'what: "x"'],
    ],
  },
  {
    name: "a limit that was granted in an earlier loop",
    program: `${rows}for r in rows {\ncall desk.grant(what: r.id, most: r.due)\n}\nfor q in rows {\ncall bank.pay(to: q.id, amount: q.due)\n}`,
    formula:
      "forall p in bank.pay: exists a in desk.grant: precedes(a, p) and a.what == p.to and p.amount <= a.most",
    wrong: [["amount: q.due", "amount: q.due + 1"]],
  },
  {
    name: "what was answered before",
    program: `${rows}for r in rows {\nlet yes = call desk.agree(what: r.id)\ncall bank.pay(to: r.id, amount: r.due) when yes\n}`,
    formula:
      "forall p in bank.pay: exists a in desk.agree: precedes(a, p) and a.what == p.to and orElse(result(a), false)",
    wrong: [
      [" when yes", ""],
      [" when yes", " when not yes"],
    ],
  },
  {
    name: "never after one that matches",
    program: `${rows}for r in rows {\ncall bank.pay(to: "x", amount: r.due)\ncall desk.escalate(what: "y")\n}`,
    formula: "forall p in bank.pay: forall e in desk.escalate where e.what == p.to: not precedes(e, p)",
    wrong: [
      ['what: "y"', 'what: "x"'],
      ['to: "x"', "to: r.id"],
    ],
  },
  {
    name: "never after one that matches, in one iteration",
    program: `${rows}for r in rows carry done: list<string> = [] {\nlet old = contains(done, r.id)\ncall bank.pay(to: r.id, amount: r.due) when not old\ncall desk.escalate(what: r.id) when not old\nnext done = if old then done else done ++ [r.id]\n}`,
    formula: "forall p in bank.pay: forall e in desk.escalate where e.what == p.to: not precedes(e, p)",
    wrong: [
      [" when not old\ncall desk", "\ncall desk"],
      ["if old then done else done ++ [r.id]", "if r.ok then done else done ++ [r.id]"],
    ],
  },
  {
    name: "never after one of a label",
    program: `${rows}for r in rows carry off: bool = false {\ncall bank.pay(to: r.id, amount: r.due) when not off\ncall desk.escalate(what: r.id) when r.ok\nnext off = off or r.ok\n}`,
    formula: 'forall p in bank.pay: forall e in label "desk": not precedes(e, p)',
    wrong: [[" when not off", ""]],
  },
];

async function verdictOf(program: string, formula: string) {
  const text = `effect-ir 1\n${tools}\nprogram () {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const checked = checkedOf(text);
  const limits = { timeoutMs: 30_000, resources: 20_000_000 };
  const proof = await prove(checked, { solver: async () => solver, limits });
  const { verdict } = proof.guarantees[0]!;
  if (verdict.kind === "refuted")
    expect(judge(checked, checked.document.guarantees[0]!.formula!, verdict.run).kind).toBe("violated");
  return verdict.kind === "unknown" ? `unknown: ${verdict.why}` : verdict.kind;
}

it.each(pairs)("$name", { timeout: 120_000 }, async ({ program, formula, wrong }) => {
  expect(await verdictOf(program, formula)).toBe("proved");
  for (const [from, to] of wrong) {
    const changed = program.replace(from, to);
    expect(changed).not.toBe(program);
    expect(await verdictOf(changed, formula), `${from} -> ${to}`).toBe("refuted");
  }
});
