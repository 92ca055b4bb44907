/**
 * Goals that some run of a document breaks: guarantees, and conditions at which the program stops. The interpreter is
 * the judge.
 */
import { type Checked, check } from "../../../src/ir/check/index.ts";
import type { Guarantee } from "../../../src/ir/document.ts";
import { judge, type RecordedRun } from "../../../src/ir/eval/formula.ts";
import { defaultLimits } from "../../../src/ir/limits.ts";
import { run } from "../../../src/ir/run/interpret.ts";
import { holdsBefore } from "../../../src/prove/prefix/monotone.ts";
import { Chance } from "../program/chance.ts";
import { vocabularyOf, World } from "./world.ts";

/** LIMIT: a run of nested loops over long lists that takes more is given up, and says nothing. */
const limits = { ...defaultLimits, steps: 60_000 };
/** LIMIT: of calls in a run that is judged. */
const mostCalls = 400;

export interface BrokenGuarantee {
  readonly guarantee: Guarantee;
  /** In how many runs. */
  readonly times: number;
  readonly run: RecordedRun;
}

export interface Broken {
  /** Number of completed runs. */
  readonly runs: number;
  /** Those that are broken most seldom come first: they are nearest to what holds. */
  readonly guarantees: readonly BrokenGuarantee[];
  /** Codes and places at which a run stopped, as `code path`. */
  readonly stops: ReadonlySet<string>;
}

export async function brokenIn(checked: Checked, seed: number, tries: number): Promise<Broken> {
  const words = vocabularyOf(checked);
  const tools = new Map(checked.document.tools.map(({ name }) => [name, nobody]));
  const found = new Map<Guarantee, { times: number; readonly run: RecordedRun }>();
  const stops = new Set<string>();
  let runs = 0;
  for (let i = 0; i < tries; i++) {
    const world = new World(checked, Chance.seeded(seed * 131 + i), words);
    const { inputs, initial } = world;
    const options = { inputs, initial, tools, limits, recorded: world.answer.bind(world) };
    const { outcome, trace } = await run(checked, options);
    const isCut = outcome.kind === "stopped" && outcome.problem.code === "FC1526";
    if (outcome.kind === "stopped") stops.add(`${outcome.problem.code} ${outcome.problem.path.join()}`);
    if (outcome.kind === "stopped" && !isCut) continue;
    if (trace.length > mostCalls) continue;
    runs++;
    for (const guarantee of checked.document.guarantees) {
      const { formula } = guarantee;
      const recorded = { inputs, initial, trace };
      // A run that stays in a loop breaks what holds of every beginning where it holds.
      if (formula === undefined || (isCut && !holdsBefore(formula, plainly))) continue;
      if (judge(checked, formula, recorded, limits).kind !== "violated") continue;
      const known = found.get(guarantee);
      if (known === undefined) found.set(guarantee, { times: 1, run: recorded });
      else known.times++;
    }
  }
  const guarantees = [...found].map(([guarantee, { times, run }]) => ({ guarantee, times, run }));
  return { runs, guarantees: guarantees.sort((a, b) => a.times - b.times), stops };
}

/** Facts about a program of which nothing is known. */
const plainly = { onlyAdds: () => false, comesFirst: () => false, isApart: () => false };

const nobody = {
  run: () => {
    throw new Error("every answer is given");
  },
};

/** The document with these guarantees alone. */
export function withGuarantees(checked: Checked, guarantees: readonly Guarantee[]): Checked {
  const read = check({ ...checked.document, guarantees });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}
