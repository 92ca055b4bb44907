/** Keys that are lists of which some elements may be absent: two of them may be equal, or not. */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove } from "../prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

async function verdictOf(first: string, second: string): Promise<string | undefined> {
  const read = readDocument(`effect-ir 1
tool t.tell(it: list<string>)
program (who: string) {
  call t.tell(it: ${first})
  call t.tell(it: ${second})
}
guarantee g(): distinct(t in t.tell: t.it)
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const proof = await prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 1_000_000 },
    likely: "omitted",
  });
  return proof.guarantees[0]?.verdict.kind;
}

const open = 'filter(["a", "b"], x => x != who)';

it.each([
  [open, '["a"]'],
  ['["b"]', open],
  [open, '["a", "b"]'],
  [open, 'filter(["b", "a", "b"], x => x == "a" or x != who)'],
  ['["a", "b"]', '["a", "b"]'],
])("%s may be %s", async (first, second) => {
  expect(await verdictOf(first, second)).not.toBe("proved");
});

it.each([
  ['["a", "b"]', '["a"]'],
  ['["a", "b"]', '["b", "a"]'],
])("%s is not %s", async (first, second) => {
  expect(await verdictOf(first, second)).toBe("proved");
});
