/** Loops whose number of turns is not known: what induction shows of them, and what it must not. */
import { afterAll, describe, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const head = `effect-ir 1
fluent open[string]: bool = false
tool feed.page(cursor: option<string>) -> record { items: list<string>, next: option<string> }
tool feed.more() -> bool
tool mail.send(to: string)
tool pay.send(amount: int)
tool log.done()
tool door.open(key: string)
  sets open[key] = true
tool door.close(key: string)
  sets open[key] = false
`;

async function verdicts(program: string, formula: string, likely?: "omitted") {
  const read = readDocument(
    `${head}program (who: string, most: int) {\n${program}\n}\nguarantee g(): ${formula}\n`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const proof = await prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 60_000, resources: 20_000_000 },
    ...(likely === undefined ? {} : { likely }),
  });
  const [first] = proof.guarantees;
  return { verdict: first?.verdict, stops: first?.interruption?.kind, obligations: proof.obligations };
}

const pages = (body: string) => `while going carry going: bool = true, cursor: option<string> = none {
  let page = call feed.page(cursor: cursor)
  ${body}
  next going = isSome(page.next)
  next cursor = page.next
}`;

const counted = (bound: string) => `while going and sent < ${bound} carry going: bool = true, sent: int = 0 {
  call mail.send(to: who)
  let more = call feed.more()
  next going = more
  next sent = sent + 1
}`;

describe("what is true of every turn is proved", () => {
  it.each<[what: string, program: string, formula: string, stops: string]>([
    [
      "of each call",
      pages("for x in page.items { call mail.send(to: who) }"),
      "forall m in mail.send: m.to == who",
      "safe",
    ],
    [
      "of a tool that it does not call",
      "while true { call mail.send(to: who) }",
      "count(p in pay.send) <= 0",
      "safe",
    ],
    ["a count that the condition bounds", counted("3"), "count(m in mail.send) <= 3", "safe"],
    [
      "a count after the loop",
      `${counted("3")}\ncall mail.send(to: who)`,
      "count(m in mail.send) <= 4",
      "safe",
    ],
    [
      "what was sent only once",
      `while go carry go: bool = true, seen: list<string> = [] {
        let page = call feed.page(cursor: none)
        let to = if isSome(page.next) then value(page.next) else who
        call mail.send(to: to) when not contains(seen, to)
        let more = call feed.more()
        next go = more
        next seen = seen ++ [to]
      }`,
      "distinct(m in mail.send: m.to)",
      "safe",
    ],
    [
      "a state that it goes back to",
      `while go carry go: bool = true {
        call door.open(key: who)
        let more = call feed.more()
        call door.close(key: who)
        next go = more
      }`,
      "final open[who] == false",
      "open",
    ],
    ["what comes after it", `${pages("")}\ncall log.done()`, "exists d in log.done: true", "open"],
    [
      "what its end says",
      `while n < 5 carry n: int = 0 {\nlet m = call feed.more()\nnext n = if m then n + 1 else n\n}\ncall pay.send(amount: n)`,
      "forall p in pay.send: p.amount >= 5",
      "safe",
    ],
    [
      "a turn that there is",
      "while go carry go: bool = true {\ncall log.done()\nlet m = call feed.more()\nnext go = m\n}",
      "exists d in log.done: true",
      "open",
    ],
  ])("%s", async (_, program, formula, stops) => {
    const found = await verdicts(program, formula);
    expect(found.verdict).toMatchObject({ kind: "proved" });
    expect(found.stops).toBe(stops);
  });
});

const wrong: readonly [what: string, program: string, formula: string][] = [
  ["one more than the condition allows", counted("3"), "count(m in mail.send) <= 2"],
  [
    "a call of a loop that never ends",
    "while true { call pay.send(amount: 1) }",
    "count(p in pay.send) == 0",
  ],
  [
    "a call before a loop that never ends",
    "call pay.send(amount: 1)\nwhile true { call log.done() }",
    "count(p in pay.send) == 0",
  ],
  [
    "a call of a loop that never ends, in another",
    "for x in [1, 2] {\nwhile true { call pay.send(amount: 1) }\n}",
    "count(p in pay.send) == 0",
  ],
  [
    "in a loop over what a tool returns",
    "let page = call feed.page(cursor: none)\nfor x in page.items {\nwhile true { call pay.send(amount: 1) }\n}",
    "forall p in pay.send: p.amount == 2",
  ],
  [
    "a sum in a loop that never ends",
    "while true { call pay.send(amount: most) }",
    "forall p in pay.send: p.amount == 2",
  ],
  [
    "both halves, of which one is broken early",
    "while true { call pay.send(amount: 1) }",
    "count(p in pay.send) == 0 and (exists d in log.done: true)",
  ],
  [
    "a state that is broken for ever",
    "while true {\ncall door.open(key: who)\ncall door.close(key: who)\n}",
    "always(now open[who] == false)",
  ],
  [
    "behind a need that never comes",
    'while true { call pay.send(amount: 1) }\nrequire false: "never"',
    "count(p in pay.send) == 0",
  ],
  [
    "a call that the last turn leaves out",
    pages("call mail.send(to: who) when isSome(page.next)"),
    "exists m in mail.send: true",
  ],
  [
    "a state that an early end leaves",
    "while go carry go: bool = true {\nlet m = call feed.more()\ncall door.open(key: who) when m\nnext go = m\n}",
    "final open[who] == false",
  ],
];

describe("what some run breaks is not proved", () => {
  it.each(wrong)("%s", async (_, program, formula) => {
    const found = await verdicts(program, formula);
    expect(found.verdict?.kind).not.toBe("proved");
    const alone = await verdicts(program, formula, "omitted");
    expect(alone.verdict?.kind).not.toBe("proved");
  });
});

describe("a run that breaks it is found", () => {
  it.each<[what: string, program: string, formula: string]>([
    ["too many", counted("3"), "count(m in mail.send) <= 2"],
    [
      "another page",
      pages("for x in page.items { call mail.send(to: x) }"),
      "forall m in mail.send: m.to == who",
    ],
    [
      "no page with a next one",
      pages("call mail.send(to: who) when isSome(page.next)"),
      "exists m in mail.send: true",
    ],
    ["the third page", pages("call mail.send(to: who)"), "count(m in mail.send) <= 2"],
  ])("%s", async (_, program, formula) => {
    const found = await verdicts(program, formula);
    expect(found.verdict).toMatchObject({ kind: "refuted" });
  });
});
