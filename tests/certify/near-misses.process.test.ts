/**
 * The checker's own reading of formulas: certificates of what holds, and none of almost the same that does not. The
 * prover is not asked, so that nothing but the checker refuses.
 */
import { afterAll, expect, test } from "vitest";
import { readDocument } from "../../src/ir/index.ts";
import { certify, Disagreement } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `
fluent door.locked[string]: bool = false
tool db.rows() -> list<record{id: string, due: int, ok: bool}>
  ensures every(result, r => r.due >= 1 and r.due <= 20)
tool db.two() -> record{a: int, b: int}
  ensures result.a <= result.b
tool mail.send(to: string, size: int)
  labels "sends"
tool chat.post(to: string)
  labels "sends"
tool bank.pay(to: string, amount: int)
  requires amount >= 0
tool door.lock(door: string)
  sets door.locked[door] = true
tool door.open(door: string)
  sets door.locked[door] = false
`;

async function outcomeOf(program: string, formula: string): Promise<string> {
  const text = `effect-ir 1\n${tools}\nprogram (who: string, n: int) {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  try {
    return (await certify(read.value.checked, () => replayerOf(solver))).kind;
  } catch (thrown) {
    if (thrown instanceof Disagreement) return "refuted";
    throw thrown;
  }
}

interface Pair {
  readonly program: string;
  readonly formula: string;
  /** Changes of the program or the formula, each of which breaks it. */
  readonly wrong: readonly (readonly [from: string, to: string])[];
}

const rows = "let rows = call db.rows() catch failed reason why\n";
const pairs: readonly Pair[] = [
  {
    program: `${rows}call chat.post(to: who) when failed`,
    formula: "forall r in rows db.rows: r.due >= 1",
    wrong: [
      ["r.due >= 1", "r.due >= 2"],
      ["r.due >= 1", "not r.ok"],
      ["r.due >= 1", "exists p in chat.post: p.to == who"],
    ],
  },
  {
    program: `let rows = call db.rows()
for r in rows {
  call bank.pay(to: r.id, amount: r.due) when r.ok
}`,
    formula: "forall p in bank.pay: exists r in rows db.rows: r.id == p.to and r.due == p.amount",
    wrong: [
      ["amount: r.due", "amount: r.due + 1"],
      ["to: r.id", "to: who"],
      ["r.due == p.amount", "r.due < p.amount"],
    ],
  },
  {
    program: `${rows}call bank.pay(to: who, amount: 3) when not failed
call bank.pay(to: "b", amount: 4) when failed`,
    formula: "count(p in bank.pay) <= 1 and sum(p in bank.pay: p.amount) <= 4",
    wrong: [
      ["<= 4", "<= 3"],
      ["when not failed", ""],
      ["<= 1 and", "<= 0 and"],
      ["<= 1 and", "< 1 and"],
    ],
  },
  {
    program: `call bank.pay(to: who, amount: 3)
call bank.pay(to: who ++ "x", amount: 4)`,
    formula: "distinct(p in bank.pay: p.to) and max(p in bank.pay: p.amount else 0) <= 4",
    wrong: [
      ['who ++ "x"', "who"],
      ["else 0) <= 4", "else 0) <= 3"],
      ["p.to)", "p.amount - p.amount)"],
    ],
  },
  {
    program: `let two = call db.two()
call mail.send(to: who, size: two.b - two.a) when n > 0
call chat.post(to: who) when n > 0`,
    formula: "forall c in chat.post: exists s in mail.send: precedes(s, c) and s.size >= 0 and s.to == c.to",
    wrong: [
      ["precedes(s, c)", "precedes(c, s)"],
      ["two.b - two.a", "two.a - two.b"],
      ["size: two.b - two.a) when n > 0", "size: two.b - two.a) when n > 1"],
      ["s.size >= 0", "s.size > 0"],
    ],
  },
  {
    program: `call mail.send(to: who, size: 1)
call chat.post(to: who)`,
    formula: 'forall s in label "sends": s.to == who',
    wrong: [
      ["chat.post(to: who)", 'chat.post(to: "b")'],
      ["mail.send(to: who", 'mail.send(to: "b"'],
    ],
  },
  {
    program: `call door.open(door: who)
call door.open(door: "b") when n > 0
call door.lock(door: who)
call door.lock(door: "b") when n > 0`,
    formula: "forall d in final door.locked: d.value or d.key != who",
    wrong: [
      ["call door.lock(door: who)", ""],
      ['lock(door: "b") when n > 0', 'open(door: "b") when n > 0'],
    ],
  },
];

const right = pairs.map(({ program, formula }) => [formula, program] as const);
const nearMisses = pairs.flatMap(({ program, formula, wrong }) =>
  wrong.map(([from, to]) => {
    if (!program.includes(from) && !formula.includes(from)) throw new Error(`there is no ${from}`);
    const changed = (text: string) => text.replace(from, () => to);
    return [`${from} → ${to}`, changed(program), changed(formula)] as const;
  }),
);

test.each(right)("certified: %s", async (formula, program) => {
  expect(await outcomeOf(program, formula)).toBe("certified");
});

test.each(nearMisses)("not certified: %s", async (_, program, formula) => {
  expect(await outcomeOf(program, formula)).not.toBe("certified");
});
