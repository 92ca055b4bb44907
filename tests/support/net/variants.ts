/**
 * Loops in loops with numbers that are found by going through a list: with each program something that a run breaks, which
 * was proved by mistake or is near to what was, and something that holds of it.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import { readDocument } from "../../../src/ir/read.ts";
import { compiled, sourceWith } from "./typescript.ts";

export interface Variant {
  readonly name: string;
  /** The commands of a program, or the body of `run`. */
  readonly body: string;
  readonly language?: "TypeScript";
  /** Formulas, or contracts that are stated. */
  readonly wrong: string;
  readonly holds: string;
  /** `proved` if the valid twin must be proved; `open` if that takes more than a prover must have. */
  readonly twin: "proved" | "open";
}

const tools = `
fluent t.at[string]: int = 0
tool t.rows() -> list<record{id: string, n: int, tags: list<int>}>
  ensures every(result, r => 0 <= r.n and r.n <= 10)
tool t.log(n: int, who: string)
  labels "l"
tool t.pay(n: int, who: string)
  labels "l"
tool t.set(who: string, n: int)
  sets t.at[who] = n
tool t.nop()
`;

/** The program of the variant with one thing said of it. */
export function checkedWith({ body, language }: Variant, said: string): Checked {
  if (language === "TypeScript") return compiled(sourceWith([said], body));
  const text = `effect-ir 1\n${tools}\nprogram (k: int, xs: list<int>, ys: list<string>, rs: list<int>) {\n${body}\n}\nguarantee g(): ${said}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return read.value.checked;
}

const small = "forall x in t.log: x.n <= 7";
const listed = "forall x in t.log: contains(rs, x.n)";
const none = "forall x in t.log: false";

const inIr: readonly Variant[] = [
  {
    name: "a total in the inner loop, the place of an element as an argument",
    body: "for y in ys { for r in rs { call t.log(n: indexOf(xs, k), who: y)  let v = total(rs) } }",
    wrong: "forall x in t.log: x.n < 7",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "the same against the length of a list",
    body: "for y in ys { for r in rs { call t.log(n: indexOf(xs, k), who: y)  let v = total(rs) } }",
    wrong: "forall x in t.log: x.n < length(rs)",
    holds: "forall x in t.log: x.n < length(rs) or length(rs) <= x.n",
    twin: "proved",
  },
  {
    name: "a total after both loops",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) } }  let v = total(rs)",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "a total below the inner loop",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) }  let v = total(rs) }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "a total above the inner loop",
    body: "for y in ys { let v = total(rs)  for r in rs { call t.log(n: r, who: y) } }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "a total before both loops, and one in the inner loop",
    body: "let u = total(rs)  for y in ys { for r in rs { call t.log(n: r, who: y)  let v = total(rs) } }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "a call below the inner loop, which is empty",
    body: "for y in ys { for r in rs {}  call t.log(n: 8, who: y) }  let v = total(rs)",
    wrong: small,
    holds: "forall x in t.log: x.n == 8",
    twin: "proved",
  },
  {
    name: "a call above the inner loop, which is empty",
    body: "for y in ys { call t.log(n: 8, who: y)  for r in rs {} }  let v = total(rs)",
    wrong: small,
    holds: "forall x in t.log: x.n == 8",
    twin: "proved",
  },
  {
    name: "a total of the list of the outer loop",
    body: 'for r in rs { for x in xs { call t.log(n: r, who: "a") }  let v = total(rs) }',
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "both loops over one list",
    body: 'for r in rs { for q in rs { call t.log(n: q, who: "a") }  let v = total(rs) }',
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "three loops, a total in the innermost",
    body: "for y in ys { for x in xs { for r in rs { call t.log(n: r, who: y)  let v = total(rs) } } }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "three loops, a total in the middle of another list",
    body: "for y in ys { for x in xs { for r in rs { call t.log(n: r, who: y) }  let v = total(xs) } }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "three loops, a total after all",
    body: "for y in ys { for x in xs { for r in rs { call t.log(n: x, who: y) } } }  let v = total(rs)",
    wrong: small,
    holds: "forall x in t.log: contains(xs, x.n)",
    twin: "proved",
  },
  {
    name: "a total in the guarantee alone",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) } }",
    wrong: "total(rs) <= 3 or not exists x in t.log: true",
    holds: "total(rs) <= 3 or forall x in t.log: contains(rs, x.n)",
    twin: "proved",
  },
  {
    name: "a total of what a list is made into",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) }  let v = total(map(rs, e => e + 1)) }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "a total of a field of rows of a tool",
    body: "let q = call t.rows()  for y in ys { for r in q { call t.log(n: r.n, who: y) }  let v = total(map(q, e => e.n)) }",
    wrong: small,
    holds: "forall x in t.log: 0 <= x.n and x.n <= 10",
    twin: "proved",
  },
  {
    name: "a total as an argument",
    body: "let q = call t.rows()  for y in ys { let all = fold(q, 0, (s: int, e) => s + e.n)  for r in q { call t.log(n: all, who: y) when r.id == y } }",
    wrong: "forall x in t.log: x.n <= 40",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "a total as a condition",
    body: 'for y in ys { for x in xs { call t.log(n: 1, who: "a") when fold(xs, 0, (s: int, e) => s + e) == 7 } }',
    wrong: none,
    holds: "forall x in t.log: x.n == 1",
    twin: "proved",
  },
  {
    name: "how many elements are a number, as a condition",
    body: "for y in ys { for x in xs { call t.log(n: 1, who: y) when fold(xs, 0, (s: int, e) => if e == k then s + 1 else s) == 5 } }",
    wrong: none,
    holds: "forall x in t.log: x.n == 1",
    twin: "proved",
  },
  {
    name: "the greatest element, as a condition",
    body: "for y in ys { for x in xs { call t.log(n: x, who: y) when fold(xs, 0, (s: int, e) => max(s, e)) == 7 } }",
    wrong: none,
    holds: "forall x in t.log: contains(xs, x.n)",
    twin: "proved",
  },
  {
    name: "the least element, as an argument",
    body: "for y in ys { for x in xs { call t.log(n: fold(xs, k, (s: int, e) => min(s, e)), who: y) } }",
    wrong: "forall x in t.log: x.n <= 0",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "the last element, as an argument",
    body: "for y in ys { for x in xs { call t.log(n: fold(xs, 0, (s: int, e) => e), who: y) } }",
    wrong: "forall x in t.log: x.n <= 0",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "some and every element, as conditions, beside a total",
    body: "for y in ys { for x in xs { call t.log(n: 1, who: y) when any(xs, e => e > 7) and every(xs, e => e >= 0)  let v = total(xs) } }",
    wrong: none,
    holds: "any(xs, e => e > 7) or not exists x in t.log: true",
    twin: "proved",
  },
  {
    name: "whether an element is in the list, beside a total",
    body: "for y in ys { for x in xs { call t.log(n: x, who: y) when contains(rs, x)  let v = total(xs) } }",
    wrong: "forall x in t.log: x.n <= 1",
    holds: listed,
    twin: "proved",
  },
  {
    name: "the first element that meets a condition, beside a total",
    body: "for y in ys { for x in xs { call t.log(n: orElse(find(xs, e => e > 2), 3), who: y)  let v = total(xs) } }",
    wrong: "forall x in t.log: x.n <= 3",
    holds: "forall x in t.log: x.n > 2",
    twin: "proved",
  },
  {
    name: "two totals before and one after",
    body: "let a = total(rs)  let b = total(rs)  for y in ys { for r in rs { call t.log(n: r, who: y) } let v = total(rs) }",
    wrong: small,
    holds: listed,
    twin: "proved",
  },
  {
    name: "an inner loop over a part of the list",
    body: "for y in ys { let part = filter(rs, e => e > 2)  for r in part { call t.log(n: r, who: y) }  let v = total(part) }",
    wrong: small,
    holds: "forall x in t.log: x.n > 2",
    twin: "proved",
  },
  {
    name: "an inner loop over a field of the element",
    body: "let q = call t.rows()  for r in q { for g in r.tags { call t.log(n: g, who: r.id) }  let v = total(r.tags) }",
    wrong: small,
    holds: "forall x in t.log: exists r in rows t.rows: r.id == x.who",
    twin: "proved",
  },
  {
    name: "an outer loop that is unrolled",
    body: "for w in [1, 2] { for y in ys { for r in rs { call t.log(n: w, who: y) } let v = total(rs) } }",
    wrong: "forall x in t.log: x.n <= 1",
    holds: "forall x in t.log: x.n <= 2",
    twin: "proved",
  },
  {
    name: "one kind of call before another",
    body: 'for y in ys { for r in rs { call t.log(n: r, who: y) } let v = total(rs) }  call t.pay(n: 1, who: "a")',
    wrong: "forall p in t.pay: exists l in t.log: precedes(l, p)",
    holds: "forall l in t.log: forall p in t.pay: not precedes(p, l)",
    twin: "proved",
  },
  {
    name: "one kind of call never after another",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) } call t.pay(n: 1, who: y) let v = total(rs) }",
    wrong: "forall l in t.log: forall p in t.pay: not precedes(p, l)",
    holds: "forall p in t.pay: p.n == 1",
    twin: "proved",
  },
  {
    name: "an automaton that counts",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) } let v = total(rs) }",
    wrong:
      'automaton(states "s", "t", "u", "bad" start "s" on "s" p in t.log -> "t" on "t" p in t.log -> "u" on "u" p in t.log -> "bad" error "bad")',
    holds:
      'automaton(states "s", "t", "bad" start "s" on "s" p in t.pay -> "t" on "t" p in t.log -> "bad" error "bad")',
    twin: "proved",
  },
  {
    name: "an automaton that starts in a later state, and a row for each",
    body: "for i in range(125) { call t.nop() }  for y in ys { for x in xs carry c: int = 0 { call t.log(n: x, who: y) next c = c } }",
    wrong:
      'automaton(states "a", "b", "bad" start "b" on "b" p in t.log -> "a" error "bad") and (forall w in t.log: exists x in t.log: x.n > 9)',
    holds:
      'automaton(states "a", "b", "bad" start "b" on "b" p in t.log -> "a" on "b" p in t.pay -> "bad" error "bad")',
    twin: "proved",
  },
  {
    name: "states at the end",
    body: "for y in ys { for r in rs { call t.set(who: y, n: 1) } let v = total(rs) }",
    wrong: "forall c in final t.at: c.value == 0",
    holds: "forall c in final t.at: c.value <= 1",
    twin: "proved",
  },
  {
    name: "states at every moment",
    body: "for y in ys { for r in rs { call t.set(who: y, n: 2)  call t.set(who: y, n: 0) } let v = total(rs) }",
    wrong: 'always(now t.at["a"] <= 1)',
    holds: "always(forall c in now t.at: c.value <= 2)",
    twin: "proved",
  },
  {
    name: "how often for each key",
    body: "for y in ys { for r in rs { call t.log(n: 1, who: y) } let v = total(rs) }",
    wrong: "forall v = count(x in t.log by x.who): v <= 3",
    holds: "forall v = sum(x in t.log by x.who: x.n): v >= 0",
    twin: "proved",
  },
  {
    name: "how much for each key, from a total",
    body: "let q = call t.rows()  for y in ys { for r in q { call t.log(n: fold(q, 0, (s: int, e) => if e.id == y then s + e.n else s), who: y) } }",
    wrong: "forall v = sum(x in t.log by x.who: x.n): v <= 40",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "no key twice",
    body: "for y in ys { for r in rs { call t.log(n: 1, who: y) } let v = total(rs) }",
    wrong: "distinct(x in t.log: x.who)",
    holds: "forall x in t.log: forall y in t.log: x.who == y.who implies x.n == y.n",
    twin: "proved",
  },
  {
    name: "the sum of calls",
    body: "for y in ys { for r in rs { call t.log(n: 1, who: y) } let v = total(rs) }",
    wrong: "sum(x in t.log: x.n) <= 20",
    holds: "sum(x in t.log: x.n) >= 0",
    twin: "proved",
  },
  {
    name: "the number of calls",
    body: "for y in ys { for r in rs { call t.log(n: 1, who: y) } let v = total(rs) }",
    wrong: "count(x in t.log) <= 12",
    holds: "count(x in t.log where x.n > 1) <= 0",
    twin: "proved",
  },
  {
    name: "the greatest and the least of calls",
    body: "let q = call t.rows()  for y in ys { for r in q { call t.log(n: r.n, who: y) } let v = total(map(q, e => e.n)) }",
    wrong: "max(x in t.log: x.n else 0) <= 7",
    holds: "max(x in t.log: x.n else 0) <= 10",
    twin: "proved",
  },
  {
    name: "a counter that the outer loop carries",
    body: "for y in ys carry c: int = 0 { for r in rs { call t.log(n: c, who: y) } let v = total(rs)  next c = c + 1 }",
    wrong: "forall x in t.log: x.n <= 5",
    holds: "forall x in t.log: x.n >= 0",
    twin: "proved",
  },
  {
    name: "a flag that both loops carry",
    body: "for y in ys carry f: bool = false { for r in rs carry g: bool = f { call t.log(n: 1, who: y) when g  next g = g or r > 7 } let v = total(rs)  next f = g }",
    wrong: none,
    holds: "any(rs, e => e > 7) or not exists x in t.log: true",
    twin: "open",
  },
  {
    name: "the last writer wins",
    body: 'for y in ys carry last: string = "" { for r in rs { call t.log(n: 1, who: last) } let v = total(rs)  next last = y }',
    wrong: 'forall x in t.log: x.who == ""',
    holds: "forall x in t.log: x.n == 1",
    twin: "proved",
  },
  {
    name: "what the inner loop sums, kept in a list, and a total before that list is used",
    body: 'for y in ys carry acc: list<int> = [] { for r in rs carry c: int = 0 { next c = c + r } next acc = acc ++ [c] }  let v = total(rs)  for a in acc { call t.log(n: a, who: "a") }',
    wrong: "forall x in t.log: x.n <= 3",
    holds: 'forall x in t.log: x.who == "a"',
    twin: "proved",
  },
  {
    name: "a list that the inner loop builds, and its total",
    body: "for y in ys { for r in rs carry acc: list<int> = [] { call t.log(n: total(acc), who: y)  next acc = acc ++ [r] } let v = total(rs) }",
    wrong: "forall x in t.log: x.n <= 7",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "a total that the outer loop carries",
    body: "for y in ys carry c: int = 0 { for r in rs { call t.log(n: c, who: y) }  next c = total(rs) }",
    wrong: "forall x in t.log: x.n <= 7",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "a total that an inner loop starts from",
    body: "for y in ys { for r in rs carry c: int = total(rs) { call t.log(n: c, who: y)  next c = c - r } }",
    wrong: "forall x in t.log: x.n <= 7",
    holds: "forall x in t.log: contains(ys, x.who)",
    twin: "proved",
  },
  {
    name: "how many there are of the outer element, counted twice: the same in every iteration",
    body: 'for x in xs { let n = fold(rs, 0, (s: int, z) => if z == x then s + 1 else s)  for r in rs carry c: int = 0 { next c = if r == x then c + 1 else c }  call t.log(n: c, who: "a") }',
    wrong: "forall x in t.log: forall z in t.log: x.n == z.n",
    holds: "forall x in t.log: x.n >= 0",
    twin: "proved",
  },
  {
    name: "how many there are of the outer element, counted twice: the same in both",
    body: 'for x in xs { let n = fold(rs, 0, (s: int, z) => if z == x then s + 1 else s)  for r in rs carry c: int = 0 { next c = if r == x then c + 1 else c }  call t.log(n: c - n, who: "a")  call t.pay(n: c, who: "a") }',
    wrong: "forall x in t.pay: forall z in t.pay: x.n <= z.n",
    holds: "forall x in t.log: x.n == 0",
    twin: "open",
  },
  {
    name: "a row for each",
    body: "for y in ys { for r in rs { call t.log(n: r, who: y) } let v = total(rs) }",
    wrong: "forall w in t.log: exists x in t.log: x.n > 7",
    holds: "forall w in t.log: exists x in t.log: x.n == w.n",
    twin: "proved",
  },
  {
    name: "what is returned is what is written",
    body: "let q = call t.rows()  for y in ys { for r in q { call t.log(n: r.n, who: r.id) } let v = fold(q, 0, (s: int, e) => s + e.n) }",
    wrong: "forall x in t.log: exists r in rows t.rows: r.n < x.n",
    holds: "forall x in t.log: exists r in rows t.rows: r.n == x.n",
    twin: "proved",
  },
];

const inTypeScript: readonly Variant[] = [
  {
    name: "TypeScript: the members' fees, added up in the outer loop",
    body: `const members = await club.members();
for (const person of people) {
  const total = members.reduce((sum, m) => sum + m.fee, 0);
  for (const m of members) if (m.id === person) await club.pay({ to: person, amount: total });
}`,
    wrong: "club.eachAtMost(40)",
    holds: "club.nobodyBarred()",
    twin: "proved",
  },
  {
    name: "TypeScript: a payment where the fees come to a number",
    body: `const members = await club.members();
for (const person of people)
  for (const m of members) if (members.reduce((sum, e) => sum + e.fee, 0) === 40) await club.pay({ to: person, amount: 1 });`,
    wrong: "club.nobodyPaid()",
    holds: "club.eachAtMost(1)",
    twin: "proved",
  },
  {
    name: "TypeScript: fees added up before the loops",
    body: `const members = await club.members();
const total = members.reduce((sum, m) => sum + m.fee, 0);
for (const person of people) for (const m of members) await club.pay({ to: person, amount: Math.min(total, 40) });`,
    wrong: "club.eachAtMost(39)",
    holds: "club.eachAtMost(40)",
    twin: "proved",
  },
  {
    name: "TypeScript: fees added up after the loops",
    body: `const members = await club.members();
for (const person of people) for (const m of members) await club.pay({ to: m.id, amount: m.fee });
const total = members.reduce((sum, m) => sum + m.fee, 0);
if (total > 40) await club.remind({ to: "ann", amount: total });`,
    wrong: "club.eachAtMost(9)",
    holds: "club.eachAtMost(10)",
    twin: "proved",
  },
  {
    name: "TypeScript: each person is paid once in each round",
    body: `const members = await club.members();
for (const limit of limits) {
  for (const m of members) await club.pay({ to: m.id, amount: 1 });
  if (members.reduce((sum, m) => sum + m.fee, 0) > limit) await club.bar({ who: "ann" });
}`,
    wrong: "club.timesPerPerson(10)",
    holds: "club.eachAtMost(1)",
    twin: "proved",
  },
  {
    name: "TypeScript: a reminder before each payment, if fees are due",
    body: `const members = await club.members();
for (const person of people) {
  if (members.reduce((sum, m) => sum + m.fee, 0) > 20) await club.remind({ to: person, amount: 1 });
  for (const m of members) await club.pay({ to: person, amount: m.fee });
}`,
    wrong: "club.remindFirst()",
    holds: "club.eachAtMost(10)",
    twin: "proved",
  },
  {
    name: "TypeScript: debts from a sum by key",
    body: `const members = await club.members();
for (const person of people) {
  for (const m of members) {
    const own = members.reduce((sum, e) => (e.id === person ? sum + e.fee : sum), 0);
    if (m.id === person) await club.owe({ who: person, n: own });
  }
}`,
    wrong: "club.noDebt(40)",
    holds: "club.nobodyPaid()",
    twin: "proved",
  },
  {
    name: "TypeScript: what is left is carried from person to person",
    body: `const members = await club.members();
let left = 40;
for (const person of people) {
  for (const m of members) {
    if (m.fee <= left) {
      await club.pay({ to: person, amount: m.fee });
      left -= m.fee;
    }
  }
  const total = members.reduce((sum, m) => sum + m.fee, 0);
  if (total > 100) left = 40;
}`,
    wrong: "club.paidInAll(40)",
    holds: "club.eachAtMost(10)",
    twin: "proved",
  },
];

export const variants: readonly Variant[] = [
  ...inIr,
  ...inTypeScript.map((one): Variant => ({ ...one, language: "TypeScript" })),
];
