/** Lengths of sublists, and runs in which one list is empty and another is not. */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

async function verdictOf(program: string, formula: string): Promise<string | undefined> {
  const read = readDocument(`effect-ir 1
tool db.names() -> list<string>
  ensures length(result) <= 9
tool db.of(name: string) -> list<string>
  ensures length(result) <= 5
tool mail.send(to: string)
program (others: list<string>, n: int) {
  let names = call db.names()
${program}
}
guarantee g(): ${formula}
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { guarantees } = await prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 20_000_000 },
  });
  return guarantees[0]?.verdict.kind;
}

const toEach = (list: string) => `  for name in ${list} {\n    call mail.send(to: name)\n  }`;
const atMost = (n: number) => `count(s in mail.send) <= ${n}`;

it.each<[list: string, most: number]>([
  ["slice(names, 0, 3)", 3],
  ["slice(names, 2, 5)", 3],
  ["slice(names, 1, 4)", 3],
  ["slice(names, 6, length(names))", 3],
  ["slice(names, -3, length(names))", 3],
  ["slice(names, -4, -1)", 3],
  ["slice(slice(names, 0, 5), 2, 9)", 3],
  ["slice(names, 3, 1)", 0],
  ["slice(names, 0, 100)", 9],
])("a loop over %s has at most %d turns, and is not taken to have fewer", async (list, most) => {
  expect(await verdictOf(toEach(list), atMost(most))).toBe("proved");
  if (most > 0) expect(await verdictOf(toEach(list), atMost(most - 1))).not.toBe("proved");
});

it("a position that is not known is neither taken for one nor for the other", async () => {
  expect(await verdictOf(toEach("slice(names, 0, n)"), `n >= 0 implies count(s in mail.send) <= n`)).toBe(
    "proved",
  );
  expect(await verdictOf(toEach("slice(names, 0, n)"), "count(s in mail.send) <= n")).not.toBe("proved");
});

it.each<[what: string, program: string]>([
  [
    "a list that a call in the loop returned",
    "  for name in names {\n    let found = call db.of(name: name)\n    call mail.send(to: name) when length(found) == 0\n  }",
  ],
  [
    "another list",
    "  let alone = length(others) == 0\n  for name in names {\n    call mail.send(to: name) when alone\n  }",
  ],
])("a run is found in which %s is empty", async (_, program) => {
  expect(await verdictOf(program, atMost(0))).toBe("refuted");
});

const asked = (list: string) => `  let known = ${list}
  call mail.send(to: "bob") when known`;
const someRow = "forall s in mail.send: exists r in rows db.names: r == s.to";

it.each<[condition: string, verdict: string]>([
  ['any(names, x => x == "bob")', "proved"],
  ['contains(names, "bob")', "proved"],
  ['any(slice(names, 0, 3), x => x == "bob")', "proved"],
  ['any(filter(names, x => x != "ann"), x => x == "bob")', "proved"],
  ['any(names, x => x == "ann")', "refuted"],
  ['not any(names, x => x == "bob")', "refuted"],
  ['contains(others, "bob")', "refuted"],
  ['any(map(names, x => "bob"), x => x == "bob")', "refuted"],
])("that %s has a row which shows it", async (condition, verdict) => {
  expect(await verdictOf(asked(condition), someRow)).toBe(verdict);
});
