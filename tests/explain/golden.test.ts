/** Every form of formula and every idiom has the sentence that the table says (if not: run with `-u` and read it). */
import { expect, test } from "vitest";
import { sentence } from "../../src/explain/english.ts";
import { operatorWords } from "../../src/explain/operator-words.ts";
import { operators } from "../../src/ir/index.ts";
import { pathOf } from "../support/spec-files.ts";
import { formulaOf, goldenPath, readGolden, writeGolden } from "./golden.ts";

const golden = readGolden();
const cases = golden.cases.map((one) => {
  const { expr, judged } = formulaOf(golden.checked, one.formula);
  return { ...one, sentence: sentence(expr, judged) };
});

test("the table of sentences is what is said", async () => {
  await expect(writeGolden({ ...golden, cases })).toMatchFileSnapshot(pathOf(goldenPath));
});

test("no two formulas of the table have one sentence, but those that mean the same", () => {
  const said = new Map<string, string[]>();
  for (const { formula, sentence } of cases) said.set(sentence, [...(said.get(sentence) ?? []), formula]);
  expect([...said.values()].filter((formulas) => formulas.length > 1)).toMatchInlineSnapshot(`
    [
      [
        "forall e in email.send: contains(["a", "b", "c"], e.addr)",
        "forall e in email.send: e.addr == "a" or e.addr == "b" or "c" == e.addr",
      ],
      [
        "forall e in email.send: contains([], e.addr)",
        "forall e in email.send: false",
      ],
      [
        "exists e in email.send: true",
        "count(e in email.send) >= 1",
      ],
      [
        "not (exists e in email.send: e.urgent)",
        "forall e in email.send: not e.urgent",
      ],
      [
        "forall e in email.send where e.urgent: e.addr == "bob@x.org"",
        "forall e in email.send: e.urgent implies e.addr == "bob@x.org"",
      ],
      [
        "count(e in email.send) <= 3",
        "3 >= count(e in email.send)",
      ],
      [
        "final home.doorLocked["front"]",
        "final home.doorLocked["front"] == true",
      ],
    ]
  `);
});

test("words are for operators that there are", () => {
  expect(Object.keys(operatorWords).filter((name) => !operators.has(name))).toEqual([]);
});
