/** The long form of nested-soundness.process.test.ts: mostly attempts that cost little, some that ask the solver. */
import { afterAll, expect, test } from "vitest";
import {
  byLooking,
  bySolver,
  count,
  type Tally,
  wronglyProved,
  wrongProofs,
} from "../../../tests/support/net/attempt.ts";
import { brokenIn } from "../../../tests/support/net/broken.ts";
import { largeNest, nestedCase, smallNest } from "../../../tests/support/net/nested.ts";
import { typeScriptCase } from "../../../tests/support/net/typescript.ts";
import { seed } from "../../../tests/support/runs.ts";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const asking = bySolver(solver);

const programs = Number(process.env.FORECLAIM_NESTED ?? 1_000);
/** Programs between two progress reports. */
const lap = 1_000;

test(`nothing that a run breaks is proved of ${programs} programs with loops in loops`, {
  timeout: 2 ** 31 - 1,
}, async () => {
  const tally: Tally = new Map();
  const met: Tally = new Map();
  const first = seed() ?? 1;
  const wrong: string[] = [];
  for (let i = 0; i < programs; i++) {
    const { checked, constructs } = caseOf(first + i, i);
    for (const construct of constructs) count(met, construct);
    const found = await wrongProofs(checked, first + i, i % 20 === 0 ? asking : byLooking, tally);
    for (const one of found) process.stdout.write(`WRONG ${one}\n`);
    wrong.push(...found);
    if ((i + 1) % lap === 0 || i + 1 === programs) tell(first, i + 1, wrong.length, tally, met);
  }
  expect(wrong).toEqual([]);
});

/** So many guesses about the states of the automaton that not all are made: others in the first iteration than in any. */
const crowded = `effect-ir 1
tool t.rows() -> list<int>
  ensures length(result) >= 9
tool t.log(n: int)
tool t.pay(n: int)
program (ys: list<int>) {
  let xs = call t.rows()
  for y in ys {
    for x in xs carry c: int = 0, d: int = 0, f: bool = false {
      call t.log(n: x)
      next c = c + x
      next d = d + 2
      next f = x > 3
    }
  }
}
guarantee g():
  automaton(
    states "a", "b", "c", "d", "bad" start "a"
    on "a" p in t.log where p.n > 3 -> "b" on "b" p in t.log where p.n > 5 -> "c" on "c" p in t.pay where p.n > 7 -> "d"
    error "bad"
  ) and (forall w in t.log: exists x in t.log: x.n > 9)
`;

test("more guesses about a loop than are made", { timeout: 600_000 }, async () => {
  const read = readDocument(crowded);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { checked } = read.value;
  expect((await brokenIn(checked, 1, 100)).guarantees).toHaveLength(1);
  const limits = { timeoutMs: 500_000, workMs: 60_000, resources: 20_000_000 };
  const net = { ...asking, limits, bothWays: true };
  expect(await wronglyProved(checked, new Set(), net, new Map())).toEqual([]);
});

function caseOf(one: number, i: number) {
  if (i % 10 === 7) return typeScriptCase(one);
  return nestedCase(one, i % 10 === 3 ? largeNest : smallNest);
}

function tell(first: number, programs: number, wrong: number, tally: Tally, met: Tally): void {
  const found = JSON.stringify(Object.fromEntries(tally));
  process.stdout.write(`seed ${first}, ${programs} programs, ${wrong} wrong proofs, ${found}\n`);
  const rare = [...met].sort(([, a], [, b]) => a - b).slice(0, 8);
  process.stdout.write(`${met.size} constructs, the rarest: ${JSON.stringify(Object.fromEntries(rare))}\n`);
}
