/**
 * Lists and maps that a loop builds, what it carries from one iteration to the next, dates, ranges and texts: each
 * proof with almost equal programs or guarantees that do not hold. No run is looked for, so that none hides a proof
 * that is wrong.
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
  ensures every(result, r => r.due >= 1 and r.due <= 20)
tool db.page(cursor: string) -> record{items: list<string>, next?: string}
tool db.time() -> int
  ensures result >= 0 and result <= 4000000000000
tool mail.send(to: string, body: string)
tool bank.pay(to: string, amount: int)
tool cal.book(start: string, end: string)
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

const byKey = `for r in rows carry sums: list<record{key: string, value: int}> = [] {
  let old = find(sums, e => e.key == r.id)
  let sum = (if isSome(old) then value(old).value else 0) + r.due
  let set = if any(sums, e => e.key == r.id) then map(sums, e => if e.key == r.id then { key: r.id, value: sum } else e) else sums ++ [{ key: r.id, value: sum }]
  next sums = if r.ok then set else sums
}
for s in sums {
  call bank.pay(to: s.key, amount: s.value)
}`;
const inMap = `for r in rows carry sums: map<int> = mapOf([]) {
  let old = mapGet(sums, r.id)
  next sums = mapSet(sums, r.id, (if isSome(old) then value(old) else 0) + r.due)
}
for s in mapEntries(sums) {
  call bank.pay(to: s.key, amount: s.value)
}`;
const pages = `let page = call db.page(cursor: "")
while not stopped carry page_2: record{items: list<string>, next?: string} = page, stopped: bool = false {
  for x in page_2.items {
    call mail.send(to: x, body: who)
  }
  let last = not isSome(page_2.next)
  let more = call db.page(cursor: if isSome(page_2.next) then value(page_2.next) else "") when not last
  let page_3 = if last then page_2 else value(more)
  next page_2 = page_3
  next stopped = stopped or last
}`;
const ofPage =
  "forall s in mail.send: exists p in db.page: precedes(p, s) and isSome(result(p)) and any(value(result(p)).items, x => x == s.to)";
const booked = `let time = call db.time()
let day = timeOf(timeParts(time).year, timeParts(time).month, timeParts(time).date + 1, 9, 0, 0, 0)
call cal.book(start: timeText(value(day)), end: timeText(value(day) + 1800000)) when isSome(day) and value(day) <= 8640000000000
`;
const halfHour =
  "forall b in cal.book: isSome(timeOfText(b.start)) and isSome(timeOfText(b.end)) and value(timeOfText(b.end)) - value(timeOfText(b.start)) == 1800000 and timeParts(value(timeOfText(b.start))).hours == 9";

const pairs: readonly Pair[] = [
  {
    name: "totals by key are paid once each",
    program: byKey,
    formula: "distinct(p in bank.pay: p.to)",
    wrong: [
      [
        "if any(sums, e => e.key == r.id) then map(sums, e => if e.key == r.id then { key: r.id, value: sum } else e) else sums",
        "if not r.ok then sums else sums",
      ],
      ["else e) else sums ++", "else { key: who, value: e.value }) else sums ++"],
      ["if any(sums, e => e.key == r.id) then", "if any(sums, e => e.key == r.id and e.value > 3) then"],
      ["++ [{ key: r.id, value: sum }]", "++ [{ key: r.id, value: sum }, { key: r.id, value: sum }]"],
    ],
  },
  {
    name: "totals by key are at least the least",
    program: byKey,
    formula: "forall p in bank.pay: p.amount >= 1",
    wrong: [
      ["p.amount >= 1", "p.amount >= 2"],
      ["+ r.due\n", "+ r.due - 2\n"],
      ["{ key: r.id, value: sum } else e", "{ key: r.id, value: sum - 5 } else e"],
      ["else 0) + r.due", "else 0 - 1) + r.due"],
    ],
  },
  {
    name: "values of a map are at least the least",
    program: inMap,
    formula: "forall p in bank.pay: p.amount >= 1",
    wrong: [
      ["p.amount >= 1", "p.amount >= 2"],
      ["else 0) + r.due", "else 0) - r.due"],
      ["next sums = mapSet(sums, r.id,", "next sums = mapSet(mapSet(sums, who, 0), r.id,"],
      ["mapOf([])", 'mapOf([{ key: "a", value: 0 }])'],
    ],
  },
  {
    name: "a key of a map is there once",
    program: inMap,
    formula: "distinct(p in bank.pay: p.to)",
    wrong: [["call bank.pay(to: s.key,", "call bank.pay(to: textOf(s.value),"]],
  },
  {
    name: "a key that was set is there",
    program: `for r in rows carry sums: map<int> = mapSet(mapOf([]), who, 0) {
  let found = mapGet(sums, who)
  require isSome(found) when r.ok: "it is there"
  next sums = if r.ok then mapSet(sums, who, value(found) + 1) else sums
}`,
    formula: "count(s in mail.send) <= 0",
    wrong: [
      ["mapSet(mapOf([]), who, 0)", 'mapSet(mapOf([]), "a", 0)'],
      ["next sums = if r.ok then", "next sums = if not r.ok then mapDelete(sums, r.id) else if r.ok then"],
    ],
  },
  {
    name: "what is read back from a map is what was set",
    program: `for r in rows {
  let m = mapSet(mapSet(mapOf([]), r.id, r.due), who, 7)
  call bank.pay(to: r.id, amount: value(mapGet(m, r.id))) when isSome(mapGet(m, r.id)) and r.id != who
}`,
    formula: "forall p in bank.pay: exists r in rows db.rows: p.to == r.id and p.amount == r.due",
    wrong: [
      [" and r.id != who", ""],
      ["mapGet(m, r.id))) when", "mapGet(m, who))) when"],
    ],
  },
  {
    name: "a page that the iteration before has read",
    program: pages,
    formula: ofPage,
    wrong: [
      ["next page_2 = page_3", 'next page_2 = { items: map(page_3.items, x => x ++ "!") }'],
      [
        "let page_3 = if last then page_2 else value(more)",
        "let page_3 = if last then page_2 else { items: [who] }",
      ],
      ["precedes(p, s)", "precedes(s, p)"],
    ],
  },
  {
    name: "a range has as many elements as it says",
    program: "for i in range(min(n, 12)) {\n  call bank.pay(to: who, amount: i)\n}",
    formula: "count(p in bank.pay) <= 12 and (forall p in bank.pay: p.amount < n)",
    wrong: [
      ["<= 12 and", "<= 11 and"],
      ["p.amount < n", "p.amount < n - 1"],
      ["min(n, 12)", "max(n, 12)"],
      ["amount: i", "amount: i + 1"],
    ],
  },
  {
    name: "times of dates are counts",
    program: booked,
    formula: halfHour,
    wrong: [
      ["9, 0, 0, 0", "n, 0, 0, 0"],
      ["9, 0, 0, 0", "9, 60, 0, 0"],
      ["== 1800000 and", "== 1800001 and"],
    ],
  },
  {
    name: "a sign that was replaced is not in the text",
    program:
      'let lines = map(rows, r => replaceAll(r.id, "@", "-"))\ncall mail.send(to: who, body: textOf(length(rows)) ++ joinText(lines, ", "))',
    formula: 'forall s in mail.send: not contains(s.body, "@here")',
    wrong: [
      ['"@", "-"', '"@", "@"'],
      ['"@", "-"', '"@h", ""'],
      ['"@", "-"', '"-", "@"'],
      ['", "))', '"@here"))'],
      ["textOf(length(rows)) ++", "who ++"],
      ['replaceAll(r.id, "@", "-")', 'if r.ok then replaceAll(r.id, "@", "-") else r.id'],
      ['replaceAll(r.id, "@", "-")', 'replaceFirst(r.id, "@", "-")'],
    ],
  },
  {
    name: "signs of a class that were replaced are not in the text",
    program: 'call mail.send(to: who, body: replaceMatch(who, "/[@#]+/g", "-"))',
    formula: 'forall s in mail.send: not contains(s.body, "@here")',
    wrong: [
      ["/[@#]+/g", "/[@#]+/"],
      ["/[@#]+/g", "/[^@a-z]+/g"],
      ["/[@#]+/g", "/[@#]x/g"],
      ['"-"', '"$&"'],
    ],
  },
  {
    name: "parts of a text have no separator",
    program: 'for part in split(who, "@") {\n  call mail.send(to: part, body: "")\n}',
    formula: 'forall s in mail.send: not contains(s.to, "@here")',
    wrong: [
      ['split(who, "@")', 'split(who, "xh")'],
      ['split(who, "@")', 'split(who, "@@")'],
    ],
  },
  {
    name: "what is cut has a length",
    program: "call mail.send(to: who, body: trim(slice(who, 0, 40)) ++ toLowerCase(slice(who, 0, 10)))",
    formula: "forall s in mail.send: length(s.body) <= 70",
    wrong: [
      ["<= 70", "<= 69"],
      ["slice(who, 0, 40)", "slice(who, 0, 41)"],
      ["slice(who, 0, 10)", "slice(who, -20, length(who))"],
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

it.each(inTurns(right, 3))("%s", { timeout: 120_000 }, async (_, program, formula) => {
  for (const verdict of await verdictsOf(program, formula)) expect(verdict).toBe("proved");
});

it.each(inTurns(nearMisses, 3))("not proved: %s", { timeout: 120_000 }, async (_, program, formula) => {
  expect(new Set(await verdictsOf(program, formula))).not.toEqual(new Set(["proved"]));
});
