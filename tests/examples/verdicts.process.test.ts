/**
 * Every example through the real front end and the real prover: its verdict is the one that its folder expects, its
 * counterexample replays, and no run by chance breaks what was proved.
 */
import { afterAll, describe, expect, it } from "vitest";
import { type Checked, judge, type RecordedRun, run } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import type { Proof } from "../../src/prove/prove.ts";
import { obligationCodes } from "../../src/prove/symbolic/call-events.ts";
import { runs } from "../support/runs.ts";
import { domains, type Example, type Expected, examples, expectedOf, find } from "./examples.ts";
import { randomRun } from "./random-runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

/** Stopping points of runs that break an obligation. */

describe.each(domains)("%s", (domain) => {
  const expected = expectedOf(domain);
  const here = examples.filter((example) => example.domain === domain);

  it("says what it expects of every program, and of no other", () => {
    expect(Object.keys(expected)).toEqual(here.map(({ name }) => name).toSorted());
    expect(here.length).toBeGreaterThanOrEqual(12);
  });

  it.each(here.map((example) => [example.name, example] as const))("%s", async (name, example) => {
    const { why, typeError, ...said } = expected[name] ?? missing(example);
    const found = await find(example, solver);
    expect(found.expected).toEqual(said);
    if (said.verdict === "refuted" || said.verdict === "unknown") expect(why).toMatch(/^[^A-Z].*[^.]$/);
    else expect(why).toBeUndefined();
    if (said.verdict !== "invalid") expect(typeError).toBeUndefined();
    if (found.checked === undefined || found.proof === undefined) return;
    await expectReplayed(found.checked, found.proof);
    await expectKept(found.checked, found.proof);
  });
});

function missing({ domain, name }: Example): Expected {
  throw new Error(`examples/${domain}/expected.json says nothing of ${name}`);
}

// ── what was refuted ─────────────────────────────────────────────────────────────────────────────────────

async function expectReplayed(checked: Checked, { guarantees, obligations }: Proof): Promise<void> {
  for (const { guarantee, verdict } of guarantees) {
    if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
    const made = await again(checked, verdict.run);
    expect(made.outcome).toEqual({ kind: "completed" });
    expect(made.trace).toHaveLength(verdict.run.trace.length);
    expect(judge(checked, guarantee.formula, verdict.run).kind).toBe("violated");
  }
  for (const { obligation, verdict } of obligations) {
    if (verdict.kind !== "refuted") continue;
    const { outcome } = await again(checked, verdict.run);
    expect(outcome).toMatchObject({
      kind: "stopped",
      problem: { code: obligationCodes[obligation.kind], path: obligation.path },
    });
  }
}

/** Makes the run again, with the answers that it records. */
function again(checked: Checked, { inputs, trace, initial = [] }: RecordedRun) {
  const nobody = {
    run: () => {
      throw new Error("no call is made");
    },
  };
  const tools = new Map(checked.document.tools.map(({ name }) => [name, nobody]));
  return run(checked, { inputs, tools, recorded: trace, initial });
}

// ── what was proved ──────────────────────────────────────────────────────────────────────────────────────

/** LIMIT: of runs for each program; a larger FORECLAIM_RUNS tries harder. */
const tries = runs(40);

const tally = { refuted: 0, broken: 0 };

const mostPrefixes = 300;

async function expectKept(checked: Checked, proof: Proof): Promise<void> {
  let completed = 0;
  const refuted = proof.guarantees.filter(({ verdict }) => verdict.kind === "refuted");
  const broken = new Set<string>();
  const proved = proof.guarantees.filter(({ verdict }) => verdict.kind === "proved");
  const unproved = proof.obligations.filter(({ verdict }) => verdict.kind !== "proved");
  for (let seed = 0; seed < tries; seed++) {
    const { inputs, trace, outcome } = await randomRun(checked, seed, seed % 4 === 0 ? 25 : 0);
    const stopped = outcome.kind === "stopped" ? outcome.problem : undefined;
    if (stopped === undefined) completed += 1;
    for (const {
      guarantee: { formula, name },
    } of stopped === undefined ? refuted : [])
      if (formula !== undefined && judge(checked, formula, { inputs, trace }).kind === "violated")
        broken.add(name);
    // A condition that was proved holds: a run stops at one only where something is left unproved.
    if (stopped !== undefined && Object.values(obligationCodes).some((code) => code === stopped.code))
      expect(
        unproved.map(({ obligation }) => obligation.path.join()),
        stopped.message,
      ).toContain(stopped.path.join());
    for (const { guarantee, interruption } of proved) {
      const { formula, name } = guarantee;
      if (formula === undefined) continue;
      const kept = (length: number) =>
        judge(checked, formula, { inputs, trace: trace.slice(0, length) }).kind;
      if (stopped === undefined) expect(kept(trace.length), `${name}, seed ${seed}`).not.toBe("violated");
      if (interruption?.kind !== "safe") continue;
      // A run may make thousands of calls; each look at a prefix costs its length.
      for (let length = 0; length < Math.min(trace.length, mostPrefixes); length++)
        expect(kept(length), `${name} after ${length} calls, seed ${seed}`).not.toBe("violated");
    }
  }
  tally.refuted += refuted.length;
  tally.broken += broken.size;
  // Runs that all stop say nothing.
  if (unproved.length === 0 && proved.length === proof.guarantees.length)
    expect(completed).toBeGreaterThan(0);
}

it("runs by chance break most of what is refuted, so that they would break what is wrongly proved", () => {
  expect(tally.broken / tally.refuted).toBeGreaterThan(0.5);
});
