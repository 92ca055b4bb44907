/**
 * Values that a loop keeps of the rows that it has seen: numbers by key, addresses, rows, texts and totals; each proof with
 * almost equal programs or guarantees that do not hold. No run is looked for, so that none hides a proof that is wrong.
 */
import { afterAll, expect, it } from "vitest";
import { inTurns } from "../../../tests/support/runs.ts";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `
tool db.rows() -> list<record{id: string, due: int, ok: bool}>
tool db.few() -> list<record{id: string, due: int, ok: bool}>
  ensures length(result) <= 9
tool db.more() -> bool
tool mail.send(to: string, body: string)
tool bank.pay(to: string, amount: int)
`;

async function verdictsOf(program: string, formula: string): Promise<readonly string[]> {
  const text = `effect-ir 1\n${tools}\nprogram (who: string, n: int) {\nlet rows = call db.rows()\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  const proof = await prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 1_000_000 },
    likely: "omitted",
  });
  return [...proof.obligations, ...proof.guarantees].map(({ verdict }) => verdict.kind);
}

interface Pair {
  readonly name: string;
  readonly program: string;
  readonly formula: string;
  /** Changes of the program or the formula, each of which breaks what is proved. */
  readonly wrong: readonly (readonly [from: string, to: string])[];
}

const countsInList = `for r in rows carry seen: list<record{key: string, value: int}> = [] {
  let old = find(seen, e => e.key == r.id)
  let times = if isSome(old) then value(old).value else 0
  let skip = times >= 2
  let set = if any(seen, e => e.key == r.id) then map(seen, e => if e.key == r.id then { key: r.id, value: times + 1 } else e) else seen ++ [{ key: r.id, value: times + 1 }]
  call mail.send(to: r.id, body: "") when not skip
  next seen = if skip then seen else set
}`;
const countsInMap = `for r in rows carry seen: map<int> = mapOf([]) {
  let old = mapGet(seen, r.id)
  let times = if isSome(old) then value(old) else 0
  let skip = times >= 2
  call mail.send(to: r.id, body: "") when not skip
  next seen = if skip then seen else mapSet(seen, r.id, times + 1)
}`;
const grouped = `for r in rows carry groups: list<record{key: string, value: list<string>}> = [] {
  let old = find(groups, e => e.key == r.id)
  let ids = (if isSome(old) then value(old).value else []) ++ [r.id]
  let changed = if isSome(old) then map(groups, e => if e.key == r.id then { key: e.key, value: ids } else e) else groups
  next groups = if any(changed, e => e.key == r.id) then map(changed, e => if e.key == r.id then { key: r.id, value: ids } else e) else changed ++ [{ key: r.id, value: ids }]
}
for g in groups {
  call mail.send(to: g.key, body: "")
}`;
const lastWins = `for r in rows carry byId: list<record{key: string, value: record{id: string, due: int, ok: bool}}> = [] {
  next byId = if any(byId, e => e.key == r.id) then map(byId, e => if e.key == r.id then { key: r.id, value: r } else e) else byId ++ [{ key: r.id, value: r }]
}
for r in map(byId, e => e.value) {
  call bank.pay(to: r.id, amount: r.due)
}`;
const lastAddress = `for r in rows carry to: string = "me@corp.com" {
  next to = if endsWith(r.id, "@corp.com") then r.id else to
}
call mail.send(to: to, body: "")`;
const best = `for r in rows carry best: option<record{id: string, due: int, ok: bool}> = none {
  let take = r.due <= 50 and (not isSome(best) or r.due > value(best).due)
  next best = if take then some(r) else best
}
call bank.pay(to: value(best).id, amount: value(best).due) when isSome(best)`;
const queued = `for r in rows carry queue: list<string> = ["/tmp/"] {
  next queue = if startsWith(r.id, "/tmp/") then queue ++ [r.id] else queue
}
for q in queue {
  call mail.send(to: q, body: "")
}`;
const bodyBounded = `for r in rows carry body: string = "" {
  let line = r.id ++ "!"
  let fits = length(body) + length(line) <= 200
  next body = if fits then body ++ line else body
}
call mail.send(to: who, body: body)`;
const paidAll = `let open = filter(rows, r => r.ok)
let total = fold(open, 0, (s: int, r) => s + r.due)
let tooMuch = total > 1000
for r in open {
  call bank.pay(to: r.id, amount: r.due) when not tooMuch
}`;
const behindWhile = `while not done carry done: bool = false {
  let more = call db.more()
  next done = not more
}
for r in slice(rows, 0, 20) {
  call mail.send(to: r.id, body: "")
}`;

const pairs: readonly Pair[] = [
  {
    name: "a number of each key, in a list of entries",
    program: countsInList,
    formula: "forall k = count(s in mail.send by s.to): k <= 2",
    wrong: [
      ["k <= 2", "k <= 1"],
      ["times >= 2", "times > 2"],
      ["else 0", "else -1"],
      ["then { key: r.id, value: times + 1 } else e", "then { key: r.id, value: times } else e"],
      ["seen ++ [{ key: r.id, value: times + 1 }]", "seen"],
      ["if skip then seen else set", "if skip or r.ok then seen else set"],
      ["to: r.id", "to: toLowerCase(r.id)"],
      ["then { key: r.id, value: times + 1 } else e", 'then { key: "", value: times + 1 } else e'],
    ],
  },
  {
    name: "a number of each key, in a map",
    program: countsInMap,
    formula: "forall k = count(s in mail.send by s.to): k <= 2",
    wrong: [
      ["k <= 2", "k <= 1"],
      ["times >= 2", "times > 2"],
      ["mapSet(seen, r.id, times + 1)", "mapSet(seen, r.id, times)"],
      ["mapSet(seen, r.id, times + 1)", "mapSet(seen, who, times + 1)"],
      ["mapSet(seen, r.id, times + 1)", "mapDelete(seen, who)"],
    ],
  },
  {
    name: "rows in groups, one mail for each",
    program: grouped,
    formula: "distinct(s in mail.send: s.to)",
    wrong: [
      ["to: g.key", "to: toLowerCase(g.key)"],
      ["any(changed, e => e.key == r.id)", "any(changed, e => e.key == who)"],
      ["then { key: e.key, value: ids } else e", "then { key: who, value: ids } else e"],
      ["else changed ++ [", "else changed ++ changed ++ ["],
    ],
  },
  {
    name: "the last row of each key",
    program: lastWins,
    formula: "distinct(p in bank.pay: p.to)",
    wrong: [
      ["else byId ++ [{ key: r.id, value: r }]", "else byId ++ [{ key: r.id ++ who, value: r }]"],
      ["then { key: r.id, value: r } else e", "then { key: who, value: r } else e"],
      ["map(byId, e => e.value)", "map(byId, e => e.value) ++ rows"],
      ["any(byId, e => e.key == r.id)", "any(byId, e => e.key == r.id and e.value.ok)"],
      ["to: r.id", "to: slice(r.id, 0, 3)"],
    ],
  },
  {
    name: "the last address of a domain",
    program: lastAddress,
    formula: 'forall s in mail.send: endsWith(s.to, "@corp.com")',
    wrong: [
      ['"me@corp.com"', "who"],
      ['endsWith(r.id, "@corp.com")', 'endsWith(r.id, "corp.com")'],
      ['endsWith(r.id, "@corp.com")', 'contains(r.id, "@corp.com")'],
      ["then r.id else to", 'then r.id ++ "x" else to'],
      ["then r.id else to", "then to else r.id"],
    ],
  },
  {
    name: "a field of the best row",
    program: best,
    formula: "forall p in bank.pay: p.amount <= 50",
    wrong: [
      ["p.amount <= 50", "p.amount <= 49"],
      ["p.amount <= 50", "p.amount >= 0"],
      ["r.due <= 50 and (", "r.due <= 51 and ("],
      ["r.due <= 50 and (not isSome(best) or", "(r.due <= 50 and not isSome(best) or"],
    ],
  },
  {
    name: "texts of a list that a loop fills",
    program: queued,
    formula: 'forall s in mail.send: startsWith(s.to, "/tmp/")',
    wrong: [
      ['["/tmp/"]', '["/tmp"]'],
      ["queue ++ [r.id]", 'queue ++ [r.id, ""]'],
      ['startsWith(r.id, "/tmp/")', 'startsWith(r.id, "/tm")'],
      ["call mail.send(to: q", "call mail.send(to: trim(q)"],
    ],
  },
  {
    name: "the length of a text that grows",
    program: bodyBounded,
    formula: "forall s in mail.send: length(s.body) <= 200",
    wrong: [
      ["length(s.body) <= 200", "length(s.body) <= 199"],
      ["length(body) + length(line) <= 200", "length(body) <= 200"],
      ["then body ++ line else", 'then body ++ line ++ "," else'],
      ['carry body: string = ""', "carry body: string = who"],
    ],
  },
  {
    name: "a total that was computed before, under a condition",
    program: paidAll,
    formula: "sum(p in bank.pay: p.amount) <= 1000",
    wrong: [
      ["<= 1000", "<= 999"],
      ["total > 1000", "total > 1001"],
      ["for r in open {", "for r in rows {"],
      ["amount: r.due)", "amount: r.due + 1)"],
      ["when not tooMuch", "when not tooMuch or r.ok"],
      ["(s: int, r) => s + r.due", "(s: int, r) => r.due"],
    ],
  },
  {
    name: "a loop behind one that may not end",
    program: behindWhile,
    formula: "count(s in mail.send) <= 20",
    wrong: [
      ["<= 20", "<= 19"],
      ["slice(rows, 0, 20)", "slice(rows, 0, 21)"],
      ["slice(rows, 0, 20)", "rows"],
      ["let more = call db.more()", 'call mail.send(to: "a", body: "")\n  let more = call db.more()'],
    ],
  },
  {
    name: "rows of rows",
    program: `for r in slice(rows, 0, 5) {\n  let few = call db.few()\n  for x in slice(few, 0, 3) {\n    call mail.send(to: x.id, body: "")\n  }\n}`,
    formula: "count(s in mail.send) <= 15",
    wrong: [
      ["<= 15", "<= 14"],
      ["slice(rows, 0, 5)", "slice(rows, 0, 6)"],
      ["slice(few, 0, 3)", "few"],
      ["slice(few, 0, 3)", "slice(few, 0, 4)"],
    ],
  },
  {
    name: "two numbers that count together",
    program: `for r in slice(rows, 0, 100) carry a: int = 0, b: int = 0 {\n  next a = if r.ok then a + 1 else a\n  next b = if r.ok then b else b + 1\n}\ncall bank.pay(to: who, amount: a + b)`,
    formula: "forall p in bank.pay: p.amount <= 100",
    wrong: [
      ["<= 100", "<= 99"],
      ["then b else b + 1", "then b + 1 else b"],
      ["carry a: int = 0", "carry a: int = 1"],
    ],
  },
  {
    name: "the greatest of a list",
    program: `let small = filter(rows, r => r.due <= 50)\ncall bank.pay(to: who, amount: fold(small, 0, (m: int, r) => max(m, r.due)))`,
    formula: "forall p in bank.pay: p.amount <= 50 and p.amount >= 0",
    wrong: [
      ["p.amount <= 50", "p.amount <= 49"],
      ["r.due <= 50", "r.due <= 51"],
      ["fold(small, 0", "fold(small, n"],
      ["max(m, r.due)", "min(m, r.due)"],
      ["fold(small", "fold(rows"],
    ],
  },
  {
    name: "the sum of a list",
    program: `let small = filter(slice(rows, 0, 20), r => r.due <= 50)\ncall bank.pay(to: who, amount: fold(small, 0, (s: int, r) => s + r.due))`,
    formula: "forall p in bank.pay: p.amount <= 50 * 20",
    wrong: [
      ["50 * 20", "50 * 19"],
      ["r.due <= 50", "r.due <= 51"],
      ["slice(rows, 0, 20)", "rows"],
      ["fold(small, 0", "fold(small, 1"],
    ],
  },
  {
    name: "what is found where it was seen that there is one",
    program: `let one = find(rows, r => r.ok and r.due == n)\nlet is = any(rows, r => r.ok and r.due == n)\ncall bank.pay(to: who, amount: if isSome(one) then 1 else 2) when is`,
    formula: "forall p in bank.pay: p.amount == 1",
    wrong: [
      ["let is = any(rows, r => r.ok and", "let is = any(rows, r => r.ok or"],
      ["let is = any(rows, r => r.ok and r.due == n)", "let is = any(rows, r => r.ok and r.due == n + 1)"],
      ["let is = any(rows,", "let more = call db.rows()\nlet is = any(more,"],
      ["when is", "when not is"],
    ],
  },
];

const right = pairs.map(({ name, program, formula }) => [name, program, formula] as const);
const nearMisses = pairs.flatMap(({ name, program, formula, wrong }) =>
  wrong.map(([from, to]) => {
    if (!program.includes(from) && !formula.includes(from)) throw new Error(`${name}: there is no ${from}`);
    const changed = (text: string) => text.replace(from, () => to);
    return [`${name}: \`${from}\` → \`${to}\``, changed(program), changed(formula)] as const;
  }),
);

it.each(inTurns(right, 4))("%s", { timeout: 120_000 }, async (_, program, formula) => {
  for (const verdict of await verdictsOf(program, formula)) expect(verdict).toBe("proved");
});

it.each(inTurns(nearMisses, 8))("not proved: %s", { timeout: 120_000 }, async (_, program, formula) => {
  expect(new Set(await verdictsOf(program, formula))).not.toEqual(new Set(["proved"]));
});
