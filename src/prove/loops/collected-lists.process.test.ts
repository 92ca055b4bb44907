/**
 * Guarantees about every element of a list that loops have built, with the calls that were made for its elements;
 * elements that a fold has selected; and lengths of texts along loops. Each proof with almost equal programs or
 * guarantees that do not hold. No run is looked for, so that none hides a proof that is wrong.
 */
import { afterAll, expect, it } from "vitest";
import { inTurns } from "../../../tests/support/runs.ts";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `
tool db.rows() -> list<record{id: string, due: int, ok: bool, tags: list<string>, note?: string}>
tool web.fetch(url: string) -> string
tool notes.save(sources: list<string>)
tool bank.pay(to: string, amount: int)
tool mail.send(to: string, body: string)
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

const row = "record{id: string, due: int, ok: bool, tags: list<string>, note?: string}";
const fetched = `for r in rows carry urls: list<string> = [] {
  let page = call web.fetch(url: r.id) catch failed reason why
  next urls = if failed then urls else urls ++ [r.id]
}
call notes.save(sources: urls)`;
const cited =
  "forall s in notes.save: every(s.sources, url => exists f in web.fetch: f.url == url and isSome(result(f)))";
const inTags = `for r in rows carry urls: list<string> = [] {
  for tag in r.tags carry own: list<string> = urls {
    call web.fetch(url: tag)
    next own = if length(tag) > 3 then own ++ [tag] else own
  }
  next urls = own
}
call notes.save(sources: urls)`;
const budget = `for r in rows carry left: int = 100 {
  let page = call web.fetch(url: r.id)
  let text = slice(trim(page), 0, min(left, 30))
  call mail.send(to: who, body: text) when text != ""
  next left = left - length(text)
}`;

const pairs: readonly Pair[] = [
  {
    name: "every kept row has what it was kept for",
    program: `for r in rows carry kept: list<${row}> = [] {
  next kept = if isSome(r.note) and r.due > 3 then kept ++ [r] else kept
}
require every(kept, one => isSome(one.note) and one.due > 3): "kept"`,
    formula: "true",
    wrong: [
      ["isSome(r.note) and r.due > 3", "isSome(r.note) or r.due > 3"],
      ["if isSome(r.note) and r.due > 3 then", "if r.due > 3 then"],
      ["one.due > 3", "one.due > 4"],
      ["= [] {", "= slice(rows, 0, 1) {"],
    ],
  },
  {
    name: "every source was fetched",
    program: fetched,
    formula: cited,
    wrong: [
      ["if failed then urls else", "if not failed then urls else"],
      ["if failed then urls else urls ++ [r.id]", "urls ++ [r.id]"],
      ["urls ++ [r.id]", "urls ++ [r.id, who]"],
      ["urls ++ [r.id]", 'urls ++ [r.id ++ "x"]'],
      ["= [] {", "= [who] {"],
      ["f.url == url and", "f.url == who and"],
    ],
  },
  {
    name: "every source of a loop in a loop was fetched",
    program: inTags,
    formula: cited,
    wrong: [
      ["own ++ [tag]", "own ++ [r.id]"],
      ["call web.fetch(url: tag)", "call web.fetch(url: tag) when length(tag) > 4"],
      ["next urls = own", "next urls = own ++ [who]"],
      ["= urls {", "= urls ++ [r.id] {"],
    ],
  },
  {
    name: "pairs of a loop in a loop have two elements",
    program: `for r in rows carry found: list<list<string>> = [] {
  for tag in r.tags carry own: list<list<string>> = found {
    next own = if tag != r.id then own ++ [[r.id, tag]] else own
  }
  next found = own
}
for pair in found {
  require isSome(at(pair, 1)): "two"
  call mail.send(to: value(at(pair, 0)), body: value(at(pair, 1)))
}`,
    formula: "forall s in mail.send: s.to != s.body",
    wrong: [
      ["if tag != r.id then own ++", 'if tag != "" then own ++'],
      ["[[r.id, tag]]", "[[r.id, tag], [who]]"],
      ["[[r.id, tag]]", "[[tag, tag]]"],
      ["= [] {", '= [["a", "a"]] {'],
    ],
  },
  {
    name: "what a fold selects is one of the rows",
    program: `let best = fold(rows, { id: who, due: 9, ok: true, tags: [], note: who }, (a: ${row}, b) => if b.due > a.due then b else a)
call bank.pay(to: best.id, amount: 1) when best.due > 9`,
    formula:
      "forall p in bank.pay: exists d in db.rows: isSome(result(d)) and any(value(result(d)), r => r.id == p.to)",
    wrong: [
      [" when best.due > 9", ""],
      ["then b else a", "then { id: who, due: b.due, ok: b.ok, tags: b.tags } else a"],
      ["due: 9", "due: 10"],
    ],
  },
  {
    name: "texts that are cut stay within what is left",
    program: budget,
    formula: "sum(s in mail.send: length(s.body)) <= 100",
    wrong: [
      ["<= 100", "<= 99"],
      ["left - length(text)", "left - length(trim(text))"],
      ["min(left, 30)", "min(left + 1, 30)"],
      ["min(left, 30)", "max(left, 30)"],
    ],
  },
  {
    name: "numbers as texts have as many digits",
    program: `for r in rows carry body: string = "" {
  let part = textOf(max(0, min(999, r.due)))
  call mail.send(to: part, body: "")
  next body = body
}`,
    formula: "forall s in mail.send: length(s.to) <= 3",
    wrong: [
      ["length(s.to) <= 3", "length(s.to) <= 2"],
      ["max(0, min(999, r.due))", "max(-1, min(999, r.due)) - 100"],
      ["min(999, r.due)", "min(1000, r.due)"],
      ["textOf(max(0, min(999, r.due)))", "textOf(max(0, min(999, r.due)) / 3)"],
    ],
  },
];

it("a fold that takes no element may be of another type", async () => {
  const program = `for x in fold(rows, [[n]], (kept: list<list<int>>, r) => kept) {
  call bank.pay(to: who, amount: length(x))
}`;
  expect(await verdictsOf(program, "count(p in bank.pay) <= 2")).toHaveLength(1);
});

const right = pairs.map(({ name, program, formula }) => [name, program, formula] as const);
const nearMisses = pairs.flatMap(({ name, program, formula, wrong }) =>
  wrong.map(([from, to]) => {
    if (!program.includes(from) && !formula.includes(from)) throw new Error(`${name}: there is no ${from}`);
    const changed = (text: string) => text.replace(from, () => to);
    return [`${name}: \`${from}\` → \`${to}\``, changed(program), changed(formula)] as const;
  }),
);

it.each(right)("%s", { timeout: 120_000 }, async (_, program, formula) => {
  for (const verdict of await verdictsOf(program, formula)) expect(verdict).toBe("proved");
});

it.each(inTurns(nearMisses, 3))("not proved: %s", { timeout: 120_000 }, async (_, program, formula) => {
  expect(new Set(await verdictsOf(program, formula))).not.toEqual(new Set(["proved"]));
});
