/** Prefix safety of guarantees about rows and results, from the order of the commands. */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const joined = "forall d in db.dial: exists p in rows db.people: p == d.phone";
const agreed =
  "forall d in db.dial: exists a in db.ask: precedes(a, d) and a.phone == d.phone and orElse(result(a), false)";
const loop = (body: string) => `for p in people {\n${body}\n}`;
const dial = "call db.dial(phone: p)";

it.each<[what: string, program: string, formula: string, left: string]>([
  ["rows that all came before", `let people = call db.people()\n${loop(dial)}`, joined, "safe"],
  [
    "rows of two calls that came before",
    `call db.people()\nlet people = call db.people()\n${loop(dial)}`,
    joined,
    "safe",
  ],
  [
    "rows that are asked for again",
    `let people = call db.people()\n${loop(dial)}\ncall db.people()`,
    joined,
    "open",
  ],
  [
    "rows that are asked for in the loop",
    `let people = call db.people()\n${loop(`${dial}\ncall db.people()`)}`,
    joined,
    "open",
  ],
  [
    "an answer that came before",
    `let people = call db.people()\n${loop("let ok = call db.ask(phone: p)\ncall db.dial(phone: p) when ok")}`,
    agreed,
    "safe",
  ],
  [
    "an answer that is there in the end",
    `let people = call db.people()\n${loop("let ok = call db.ask(phone: p)\ncall db.dial(phone: p) when ok")}`,
    "forall a in db.ask: isSome(result(a))",
    "open",
  ],
  [
    "none at all",
    `let people = call db.people()\n${loop("call db.ask(phone: p)")}`,
    "count(d in db.dial) == 0",
    "safe",
  ],
  [
    "none at all, beside a loop of unknown turns",
    'while go carry go: bool = true {\nlet more = call db.ask(phone: "1")\nnext go = more\n}',
    "0 == count(d in db.dial)",
    "safe",
  ],
  [
    "none in the end of what may be there before",
    'while go carry go: bool = true {\nlet more = call db.ask(phone: "1")\nnext go = more\n}\ncall db.dial(phone: "1")',
    "count(a in db.ask) == 0 or count(d in db.dial) == 1",
    "open",
  ],
])("%s", async (_, program, formula, left) => {
  const read = readDocument(`effect-ir 1
tool db.people() -> list<string>
tool db.ask(phone: string) -> bool
tool db.dial(phone: string)
program () {
${program}
}
guarantee g(): ${formula}
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { guarantees } = await prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 20_000_000 },
  });
  const [first] = guarantees;
  expect(first?.verdict).toMatchObject({ kind: "proved" });
  expect(first?.interruption?.kind).toBe(left);
});
