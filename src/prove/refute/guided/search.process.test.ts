/** Counterexamples that only a run finds: the solver takes these operators for functions of which it knows nothing. */
import { afterAll, describe, expect, it } from "vitest";
import { type Checked, readDocument } from "../../../ir/index.ts";
import { z3Wasm } from "../../decide/solver/z3-wasm.ts";
import { prove } from "../../prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const head = `effect-ir 1
tool t.text() -> string
tool t.number() -> real
tool t.any() -> json
tool t.rows() -> list<record { id: string, tags: list<string> }>
tool t.pay(to: string, n: real)
tool t.mail(body: string)
`;

function document(body: string, formula: string): Checked {
  const read = readDocument(`${head}program () {\n${body}\n}\nguarantee g(): ${formula}\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

async function verdictOf(checked: Checked) {
  const limits = { timeoutMs: 60_000, resources: 300_000 };
  const { guarantees } = await prove(checked, { solver: async () => solver, limits });
  return guarantees[0]?.verdict;
}

const nobodyIsPaid = "count(p in t.pay) <= 0";
const cases: readonly (readonly [what: string, body: string, formula: string])[] = [
  [
    "a field of parsed JSON",
    `let x = call t.text()
     let parsed = parseJson(x)
     let to = if isSome(parsed) then jsonField(value(parsed), "to") else none
     let name = if isSome(to) then jsonString(value(to)) else none
     call t.pay(to: value(name), n: 1) when isSome(name)`,
    'forall p in t.pay: p.to == "ann"',
  ],
  [
    "a kind of JSON in JSON",
    `let x = call t.any()
     let rows = jsonField(x, "rows")
     let items = if isSome(rows) then jsonItems(value(rows)) else none
     call t.pay(to: "a", n: 1) when isSome(items) and length(value(items)) > 2`,
    nobodyIsPaid,
  ],
  [
    "a text that is no number",
    `let x = call t.text()
     let n = numberOf(x)
     call t.pay(to: "a", n: 1) when not isSome(n)`,
    nobodyIsPaid,
  ],
  [
    "a number in a text",
    `let x = call t.text()
     let n = numberOf(x)
     call t.pay(to: "a", n: value(n)) when isSome(n) and value(n) > 120`,
    "forall p in t.pay: p.n <= 120",
  ],
  [
    "a date in a text",
    `let x = call t.text()
     let time = timeOfText(x)
     let day = timeOfText("2024-05-01")
     call t.pay(to: "a", n: 1) when isSome(time) and isSome(day) and value(time) > value(day)`,
    nobodyIsPaid,
  ],
  [
    "a text that grows in capitals",
    "let x = call t.text()\ncall t.mail(body: toUpperCase(slice(x, 0, 10)))",
    "forall m in t.mail: length(m.body) <= 10",
  ],
  [
    "a part of a match",
    `let x = call t.text()
     let found = firstMatch(x, "/^INV-(\\\\d+)$/")
     let digits = if isSome(found) then value(orElse(at(value(found).parts, 1), none)) else ""
     let n = numberOf(digits)
     call t.pay(to: "a", n: value(n)) when isSome(n)`,
    "forall p in t.pay: p.n <= 500",
  ],
  [
    "a list longer than the first ones that are tried",
    `let rows = call t.rows()
     for row in slice(rows, 0, 31) { call t.pay(to: row.id, n: 1) }`,
    "count(p in t.pay) <= 30",
  ],
];

describe("a run that breaks it is found for", () => {
  it.each(cases)("%s", async (_, body, formula) => {
    expect((await verdictOf(document(body, formula)))?.kind).toBe("refuted");
  });

  it("the same one each time", async () => {
    const [, body = "", formula = ""] = cases[0] ?? [];
    const [first, second] = [
      await verdictOf(document(body, formula)),
      await verdictOf(document(body, formula)),
    ];
    const traceOf = (verdict: typeof first) => (verdict?.kind === "refuted" ? verdict.run.trace : undefined);
    expect(traceOf(first)).toBeDefined();
    expect(traceOf(second)).toEqual(traceOf(first));
  });
});
