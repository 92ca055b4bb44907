/**
 * The third opinion on the examples: what it calls valid is proved by the prover, and it covers documents of every kind that it
 * claims to.
 */
import { afterAll, expect, test } from "vitest";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { replayerOf } from "../../src/prove/index.ts";
import { verifyDocument } from "../../src/verified/index.ts";
import { seed } from "../support/runs.ts";
import { examplesOf } from "./examples.ts";

/**
 * Examples whose verdicts differ, with the cause. No tool result satisfies the contradictory `ensures`, so every completed run
 * satisfies everything; prover and checker also ask for a tool result.
 */
const explained: ReadonlySet<string> = new Set(["laboratory/contradiction"]);

const pool = new SolverPool();
afterAll(() => pool.close());

const PARTS = 6;

test("no guarantee is valid that the prover does not prove", async () => {
  const found = await pool.take("z3");
  if (!found.ok) throw new Error("there is no solver");
  const solver = await replayerOf(await found.value.get());
  const limits = { resources: 5_000_000, timeoutMs: 20_000 };
  const wrong: string[] = [];
  let [covered, agreed, weaker] = [0, 0, 0];
  for (const { name, checked, verdicts } of examplesOf((seed() ?? 0) % PARTS, PARTS)) {
    const said = await verifyDocument(checked, (text) => solver.ask(text, limits));
    if (said.kind === "beyond") {
      expect(said.why).not.toBe("");
      continue;
    }
    covered++;
    said.guarantees.forEach((opinion, i) => {
      const isProved = verdicts[i] === "proved";
      if (isProved === (opinion === "valid")) agreed++;
      else if (isProved) weaker++;
      else if (!explained.has(name)) wrong.push(`${name}: guarantee ${i} is ${verdicts[i]}`);
    });
  }
  expect(wrong).toEqual([]);
  expect(covered).toBeGreaterThan(15);
  expect(agreed).toBeGreaterThan(weaker * 3);
});
