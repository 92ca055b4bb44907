/**
 * Proofs about loops over unknown lists, each with an almost equal program or guarantee that does not hold: it must
 * not be proved.
 */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove, type Verdict } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const tools = `
fluent shop.stage[string]: enum{"new", "packed", "sent"} = "new"
fluent shop.boxes[int]: int = 0
fluent shop.place[string]: record{shelf: int, cold: bool} = {shelf: 0, cold: false}
tool db.rows() -> list<record{id: string, due: real, ok: bool}>
  ensures every(result, r => r.due <= 20 and r.due >= 0)
tool mail.send(to: string, body: string)
tool mail.note(to: string, body: string)
tool bank.pay(to: string, amount: real)
tool shop.pack(id: string)
  requires now shop.stage[id] == "new"
  sets shop.stage[id] = "packed"
tool shop.dispatch(id: string)
  sets shop.stage[id] = "sent"
tool shop.stack(shelf: int)
  sets shop.boxes[shelf] = now shop.boxes[shelf] + 1
tool shop.move(id: string, shelf: int, cold: bool)
  sets shop.place[id] = {shelf: shelf, cold: cold}
`;

async function proofOf(program: string, formula: string) {
  const text = `effect-ir 1\n${tools}\nprogram (who: string) {\nlet rows = call db.rows()\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  const limits = { timeoutMs: 30_000, resources: 20_000_000 };
  return prove(read.value.checked, { solver: async () => solver, limits });
}

it("proves nothing of a list that must have elements and can have none", async () => {
  const text =
    "effect-ir 1\ntool t.rows() -> list<real>\n  ensures length(result) > 0\n  ensures every(result, x => x > 1 and x < 0)\ntool t.put(n: real)\nprogram () {\nlet rows = call t.rows()\nfor r in rows {\ncall t.put(n: r)\n}\n}\nguarantee g(): forall p in t.put: p.n <= 3\n";
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const limits = { timeoutMs: 30_000, resources: 20_000_000 };
  const proof = await prove(read.value.checked, { solver: async () => solver, limits });
  expect(proof.guarantees.map(({ verdict }) => said(verdict))).toEqual(["unknown"]);
});

const said = ({ kind }: Verdict) => kind;

interface Pair {
  readonly name: string;
  readonly program: string;
  readonly formula: string;
  /** Changes of the program or the formula, each of which breaks the promise. */
  readonly wrong: readonly (readonly [from: string, to: string])[];
}

const each = (body: string) => `for r in rows {\n${body}\n}`;
const collect =
  "for r in rows carry seen: list<string> = [] {\nlet late = r.due > 10\nnext seen = if late then seen ++ [r.id] else seen\n}\nfor x in seen {\ncall mail.send(to: x, body: who)\n}";
const once =
  "for r in rows carry done: list<string> = [] {\nlet old = contains(done, r.id)\ncall shop.pack(id: r.id) when not old\ncall shop.dispatch(id: r.id) when not old\nnext done = if old then done else done ++ [r.id]\n}";

const pairs: readonly Pair[] = [
  {
    name: "every row has its call",
    program: each("call mail.send(to: r.id, body: who) when r.ok"),
    formula: "forall r in rows db.rows: not r.ok or (exists s in mail.send: s.to == r.id)",
    wrong: [
      ["when r.ok", "when r.ok and r.due > 1"],
      ["to: r.id", "to: who"],
      ["for r in rows", "for r in slice(rows, 0, 1)"],
      ["for r in rows", "for r in filter(rows, x => x.due < 20)"],
      ["not r.ok or", "r.ok or"],
    ],
  },
  {
    name: "every row of a filtered and mapped list has its call",
    program: "for x in map(filter(rows, r => r.ok), r => r.id) {\ncall mail.send(to: x, body: who)\n}",
    formula: "forall r in rows db.rows: not r.ok or (exists s in mail.send: s.to == r.id)",
    wrong: [
      ["r => r.ok", "r => not r.ok"],
      ["r => r.id", "r => who"],
      ["filter(rows, r => r.ok)", "reverse(slice(rows, 1, 9))"],
    ],
  },
  {
    name: "a value that calls of one iteration share",
    program: each("call mail.send(to: r.id, body: r.id)\ncall mail.note(to: who, body: r.id)"),
    formula:
      "(forall s in mail.send: false) or (exists s in mail.send: exists n in mail.note: s.body == n.body)",
    wrong: [
      ["call mail.note(to: who, body: r.id)", "call mail.note(to: who, body: who)"],
      ["call mail.note(to: who, body: r.id)", "call mail.note(to: who, body: r.id) when r.ok"],
      ["call mail.send(to: r.id, body: r.id)", 'call mail.send(to: r.id, body: r.id ++ "!")'],
    ],
  },
  {
    name: "no value is shared across loops",
    program: `${each('call mail.send(to: r.id, body: who) when startsWith(r.id, "a")')}\nfor q in rows {\ncall mail.note(to: q.id, body: who) when not startsWith(q.id, "a")\n}`,
    formula: "not (exists s in mail.send: exists n in mail.note: s.to == n.to)",
    wrong: [
      ["when not startsWith", "when startsWith"],
      ['not startsWith(q.id, "a")', 'not startsWith(q.id, "ab")'],
    ],
  },
  {
    name: "order within an iteration",
    program: each("call mail.note(to: r.id, body: who)\ncall bank.pay(to: r.id, amount: r.due)"),
    formula: "forall p in bank.pay: exists n in mail.note: precedes(n, p) and n.to == p.to",
    wrong: [
      [
        "call mail.note(to: r.id, body: who)\ncall bank.pay(to: r.id, amount: r.due)",
        "call bank.pay(to: r.id, amount: r.due)\ncall mail.note(to: r.id, body: who)",
      ],
      ["body: who)", "body: who) when r.ok"],
      ["precedes(n, p)", "precedes(p, n)"],
      ["n.to == p.to", "n.to != p.to"],
    ],
  },
  {
    name: "order for each key",
    program:
      "for r in rows carry told: list<string> = [] {\nlet new = not contains(told, r.id)\ncall mail.note(to: r.id, body: who) when new\ncall bank.pay(to: r.id, amount: r.due)\nnext told = if new then told ++ [r.id] else told\n}",
    formula: "forall p in bank.pay: exists n in mail.note: precedes(n, p) and n.to == p.to",
    wrong: [
      ["when new", "when new and r.ok"],
      ["told ++ [r.id]", "told ++ [r.id, who]"],
      ["told: list<string> = []", "told: list<string> = [who]"],
      ["call mail.note(to: r.id", "call mail.note(to: who"],
    ],
  },
  {
    name: "nothing after a call",
    program:
      "for r in rows carry off: bool = false {\ncall mail.send(to: r.id, body: who) when not off\nlet bad = not off and r.due > 5\ncall mail.note(to: r.id, body: who) when bad\nnext off = off or bad\n}",
    formula: "forall s in mail.send: forall n in mail.note: not precedes(n, s)",
    wrong: [
      ["next off = off or bad", "next off = bad"],
      ["when not off\n", "when not off or r.ok\n"],
      ["next off = off or bad", "next off = off or (bad and r.ok)"],
      ["not precedes(n, s)", "not precedes(s, n)"],
    ],
  },
  {
    name: "either order is not an order of either",
    program: each(
      "call mail.note(to: r.id, body: who) when r.ok\ncall bank.pay(to: r.id, amount: 1) when r.ok\ncall mail.send(to: r.id, body: who) when r.ok",
    ),
    formula:
      "(forall p in bank.pay: exists n in mail.note: precedes(n, p) and n.to == p.to) or (forall p in mail.send: exists n in mail.note: precedes(n, p) and n.to == p.to)",
    wrong: [
      [
        "call mail.note(to: r.id, body: who) when r.ok\ncall bank.pay(to: r.id, amount: 1) when r.ok\ncall mail.send(to: r.id, body: who) when r.ok",
        'call bank.pay(to: "a", amount: 1) when r.id == "a"\ncall mail.send(to: "b", body: who) when r.id == "b"',
      ],
    ],
  },
  {
    name: "the greatest and the least",
    program: each("call bank.pay(to: r.id, amount: r.due) when r.due >= 1"),
    formula: "max(p in bank.pay: p.amount else 0) <= 20 and min(p in bank.pay: p.amount else 7) >= 1",
    wrong: [
      ["when r.due >= 1", "when r.due > 0"],
      ["amount: r.due", "amount: r.due + 1"],
      ["else 0) <= 20", "else 30) <= 20"],
      ["else 7) >= 1", "else 0) >= 1"],
      ["max(p in bank.pay: p.amount else 0) <= 20", "max(p in bank.pay: p.amount else 20) >= 20"],
      ["max(p in bank.pay: p.amount else 0) <= 20", "max(p in bank.pay: p.amount else 0) >= 1"],
    ],
  },
  {
    name: "what a loop collected",
    program: collect,
    formula: "forall s in mail.send: exists r in rows db.rows: r.id == s.to and r.due > 10",
    wrong: [
      ["seen: list<string> = []", "seen: list<string> = [who]"],
      ["seen ++ [r.id] else seen", "seen ++ [r.id] else [who]"],
      ["if late then seen ++ [r.id]", "if late then seen ++ [r.id, who]"],
      ["r.due > 10\nnext", "r.due >= 10\nnext"],
      ["if late", "if not late"],
    ],
  },
  {
    name: "a total before a loop",
    program: `let total = fold(rows, 0, (sum: real, r) => sum + r.due)\n${each("call bank.pay(to: r.id, amount: r.due) when total <= 50")}`,
    formula: "sum(p in bank.pay: p.amount) <= 50",
    wrong: [
      ["sum + r.due", "if r.ok then sum + r.due else sum"],
      ["fold(rows, 0", "fold(rows, -1"],
      ["fold(rows,", "fold(slice(rows, 1, 9),"],
      ["when total <= 50", "when total <= 51"],
      ["amount: r.due)", "amount: r.due + 1)"],
    ],
  },
  {
    name: "what must be so of a state that the loop changes",
    program: once,
    formula: 'forall c in final shop.stage: c.value != "packed"',
    wrong: [
      ["call shop.dispatch(id: r.id) when not old", "call shop.dispatch(id: r.id) when not old and r.ok"],
      ["call shop.dispatch(id: r.id)", "call shop.dispatch(id: who)"],
      ['c.value != "packed"', 'c.value != "sent"'],
    ],
  },
  {
    name: "every row's cell",
    program: once,
    formula: 'forall r in rows db.rows: final shop.stage[r.id] == "sent"',
    wrong: [
      ["let old = contains(done, r.id)", "let old = contains(done, r.id) or r.due > 19"],
      ["done: list<string> = []", "done: list<string> = [who]"],
      ["call shop.dispatch(id: r.id) when not old", "call shop.dispatch(id: r.id) when r.ok"],
    ],
  },
  {
    name: "cells by position",
    program: "for r, i in rows {\ncall shop.stack(shelf: i)\n}",
    formula: "forall c in final shop.boxes: c.value <= 1",
    wrong: [
      ["shelf: i", "shelf: min(i, 1)"],
      ["c.value <= 1", "c.value <= 0"],
    ],
  },
  {
    name: "records in cells",
    program: each("call shop.move(id: r.id, shelf: 7, cold: true)"),
    formula: "forall c in final shop.place: c.value.shelf != 7 or c.value.cold",
    wrong: [
      ["cold: true", "cold: r.ok"],
      ["or c.value.cold", "or not c.value.cold"],
    ],
  },
  {
    name: "how many cells",
    program:
      "for r in rows carry off: bool = false {\ncall shop.dispatch(id: r.id) when not off\nnext off = true\n}",
    formula: 'count(c in final shop.stage where c.value == "sent") <= 1',
    wrong: [
      ["next off = true", "next off = off or r.ok"],
      ["off: bool = false {", "off: bool = false {\ncall shop.dispatch(id: who)"],
      ["<= 1", "<= 0"],
      ['c.value == "sent"', 'c.value == "new"'],
    ],
  },
  {
    name: "a first element, and one that is found",
    program:
      "let first = at(rows, 0)\ncall mail.send(to: value(first).id, body: who) when isSome(first)\nlet one = find(rows, r => r.ok)\ncall mail.send(to: value(one).id, body: who) when isSome(one)",
    formula: "forall s in mail.send: exists r in rows db.rows: r.id == s.to",
    wrong: [
      ["when isSome(first)", ""],
      ["when isSome(one)", ""],
      ["r.id == s.to", "r.id == s.to and r.ok"],
    ],
  },
];

it.each(pairs)("$name", { timeout: 120_000 }, async ({ program, formula }) => {
  const { guarantees, obligations } = await proofOf(program, formula);
  expect([...guarantees, ...obligations].map(({ verdict }) => said(verdict))).toEqual(
    [...guarantees, ...obligations].map(() => "proved"),
  );
});

const nearMisses = pairs.flatMap(({ name, program, formula, wrong }) =>
  wrong.map(([from, to]) => ({ name: `${name}: \`${to}\` for \`${from}\``, program, formula, from, to })),
);

it.each(nearMisses)("$name", { timeout: 120_000 }, async ({ program, formula, from, to }) => {
  expect(program.includes(from) || formula.includes(from)).toBe(true);
  const proof = await proofOf(program.replace(from, to), formula.replace(from, to));
  expect(proof.guarantees.map(({ verdict }) => said(verdict))).not.toContain("proved");
});
