/** Runs of random programs with loops, and what they say of a proof. */
import { judge } from "../../../src/ir/eval/formula.ts";
import { run } from "../../../src/ir/run/interpret.ts";
import { list, record } from "../../../src/ir/value.ts";
import { type Obligation, obligationCodes } from "../../../src/prove/symbolic/call-events.ts";
import type { GuaranteeProof, Verdict } from "../../../src/prove/verdict.ts";
import { Chance } from "../program/chance.ts";
import type { LoopCase } from "./programs.ts";

/** The parts of a proof that a run can contradict. */
export interface Shown {
  readonly guarantees: readonly GuaranteeProof[];
  readonly obligations: readonly {
    readonly obligation: Pick<Obligation, "kind" | "path">;
    readonly verdict: Verdict;
  }[];
}

/**
 * Returns the error of a proof: a refuted guarantee that is not broken, or a proved one that one of so many runs
 * breaks.
 */
export async function wrongIn(
  one: LoopCase,
  proof: Shown,
  seed: number,
  runs: number,
  count: (kind: string) => void,
): Promise<string | undefined> {
  for (const { guarantee, verdict } of proof.guarantees) {
    if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
    if (judge(one.checked, guarantee.formula, verdict.run).kind !== "violated")
      return `${guarantee.name} is kept by the run that should break it`;
  }
  const all = [...proof.guarantees, ...proof.obligations];
  if (!all.some(({ verdict }) => verdict.kind === "proved")) return undefined;
  for (let i = 0; i < runs; i++) {
    const wrong = await wrongInRun(one, proof, seed * 31 + i, count);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function wrongInRun(
  one: LoopCase,
  proof: Shown,
  seed: number,
  count: (kind: string) => void,
): Promise<string | undefined> {
  const { checked } = one;
  const { inputs, initial, outcome, trace } = await made(one, seed);
  if (outcome.kind === "stopped") {
    const { code, path, message } = outcome.problem;
    const here = proof.obligations.filter(
      ({ obligation: { kind, path: at } }) => obligationCodes[kind] === code && at.join() === path.join(),
    );
    // Several conditions of one call stand at one place; one of them at least must not be proved.
    if (here.length > 0 && here.every(({ verdict }) => verdict.kind === "proved"))
      return `a run stops at what was proved: ${code} ${message}`;
  }
  for (const { guarantee, verdict, interruption } of proof.guarantees) {
    const { name, formula } = guarantee;
    if (verdict.kind !== "proved" || formula === undefined) continue;
    const isBroken = (length: number) =>
      judge(checked, formula, { inputs, initial, trace: trace.slice(0, length) }).kind === "violated";
    if (outcome.kind === "completed") {
      count("kept");
      if (isBroken(trace.length)) return `${name}, proved by ${verdict.by}, is broken`;
    }
    for (let length = 0; interruption?.kind === "safe" && length <= trace.length; length++) {
      if (trace[length - 1]?.outcome.kind === "broken") break;
      if (isBroken(length)) return `${name}, said to be safe, is broken after ${length} calls`;
    }
  }
  return undefined;
}

async function made({ checked, tools }: LoopCase, seed: number) {
  const chance = Chance.seeded(seed);
  const row = () => ({
    n: chance.odds(90) ? chance.int(tools.least, tools.most) : chance.int(-9, 9),
    ok: chance.odds(50),
    who: chance.pick(["a", "b", "c"]),
  });
  const rows = () =>
    Array.from(
      { length: chance.int(tools.shortest, chance.odds(90) ? tools.longest : tools.shortest + 6) },
      row,
    );
  const fails = () => {
    if (chance.odds(10)) throw new Error("no");
  };
  const handlers = {
    "t.rows": () => rows(),
    "t.ask": () => chance.odds(50),
    "t.act": fails,
    "t.other": () => undefined,
    "t.set": fails,
    "t.bump": fails,
    "t.turn": () => undefined,
    "t.name": fails,
  };
  const inputs = record([
    ["limit", BigInt(chance.int(-1, 6))],
    ["flag", chance.odds(50)],
    ["names", list(chance.times(0, 6, () => chance.pick(["a", "b", "c"])))],
  ]);
  const initial =
    checked.fluents.get("t.at")?.initial === undefined && checked.fluents.has("t.at")
      ? ["a", "b", "c", "z", "zz"].map((key) => ({ fluent: "t.at", key, value: BigInt(chance.int(-1, 3)) }))
      : [];
  const handled = new Map(Object.entries(handlers).map(([name, handler]) => [name, { run: handler }]));
  return { inputs, initial, ...(await run(checked, { inputs, initial, tools: handled })) };
}
