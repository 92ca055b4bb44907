/**
 * Concrete search by running: makes runs with random inputs and tool results on the interpreter, and looks for one that
 * breaks an open claim. It finds counterexamples where the solver knows only that a function is one: parsed JSON, texts
 * read as numbers, matches of regular expressions, lists that must be long.
 * SOUNDNESS: a run refutes only after it was made once more with values that can be passed and returned.
 * The seeds are fixed and work is counted, so equal documents get equal answers.
 */
import {
  type Cell,
  type Checked,
  callEnvironment,
  defaultLimits,
  firstBroken,
  isRecord,
  LimitReached,
  Meter,
  type Outcome,
  type PendingCall,
  type RecordValue,
  record,
  recordOf,
  run,
  State,
  type ToolHandler,
  type Value,
} from "../../../ir/index.ts";
import type { GuaranteeProof, ObligationProof, Proof, Verdict } from "../../verdict.ts";
import { type Attempted, stopsAt, violates } from "../attempt.ts";
import type { Replayed } from "../counterexample.ts";
import { performed } from "../performed.ts";
import { Chance } from "./chance.ts";
import { Hints, hintsOf, type ProgramHints } from "./hints.ts";
import { type Constants, constantsOf, Values } from "./values.ts";

/** LIMIT: of runs, of the work of one, and of the work of all together. */
const mostRuns = 400;
const runLimits = { ...defaultLimits, steps: 200_000 };
const mostSteps = 3_000_000;
/** LIMIT: of calls in a run that is judged, and of results that are tried until one meets `ensures`. */
const mostCalls = 600;
const mostResults = 12;

type Claim = GuaranteeProof | ObligationProof;
type Look = (made: Replayed) => Pick<Attempted, "broken" | "why">;

/** Returns the proof with each unknown claim refuted that a random run breaks. */
export async function withRandomRuns(checked: Checked, proof: Proof): Promise<Proof> {
  const open = new Map<Claim, Look>();
  for (const claim of [...proof.obligations, ...proof.guarantees])
    if (claim.verdict.kind === "unknown") open.set(claim, lookFor(checked, claim));
  if (open.size === 0) return proof;
  const refuted = await search(checked, open);
  const better = <T extends Claim>(claim: T): T => {
    const verdict = refuted.get(claim);
    return verdict === undefined ? claim : { ...claim, verdict };
  };
  return {
    ...proof,
    guarantees: proof.guarantees.map(better),
    obligations: proof.obligations.map(better),
  };
}

function lookFor(checked: Checked, claim: Claim): Look {
  if ("obligation" in claim) return stopsAt(claim.obligation);
  const { formula } = claim.guarantee;
  return formula === undefined ? () => ({ broken: false, why: "" }) : violates(checked, formula);
}

async function search(checked: Checked, open: Map<Claim, Look>): Promise<ReadonlyMap<Claim, Verdict>> {
  const refuted = new Map<Claim, Verdict>();
  const [hints, constants] = [hintsOf(checked), constantsOf(checked)];
  const sizes = sizesFor(constants);
  let steps = 0;
  for (let seed = 0; seed < mostRuns && steps < mostSteps && open.size > 0; seed++) {
    const world = new World(checked, hints, constants, seed, sizes[seed % sizes.length] ?? 1);
    const made = await world.run();
    steps += made.run.steps;
    if (made.run.trace.length > mostCalls) continue;
    for (const [claim, look] of open) {
      if (!look(made).broken) continue;
      const real = await performed(checked, made, "number");
      if (real.kind !== "made") continue;
      const { broken, why } = look(real.made);
      if (!broken) continue;
      refuted.set(claim, { kind: "refuted", run: real.made.recorded, why });
      open.delete(claim);
    }
  }
  return refuted;
}

/** Lengths of lists in turns, short ones more often, and those around the small constants of the document. */
function sizesFor({ numbers }: Constants): readonly number[] {
  const small = numbers.filter((one) => typeof one === "bigint" && one > 3n && one <= 200n).map(Number);
  const near = [...new Set(small)]
    .sort((a, b) => a - b)
    .slice(0, 6)
    .map((n) => n + 1);
  return [1, 2, 0, 3, 1, 2, 5, ...near, ...near.slice(-1).map((n) => 2 * n)];
}

const nobody: ToolHandler = {
  run: () => {
    throw new Error("every result is given");
  },
};

/** Everything that one run meets. */
class World {
  readonly #checked: Checked;
  readonly #hints: ProgramHints;
  readonly #chance: Chance;
  readonly #values: Values;
  readonly #failing: number;
  readonly #initial: readonly Cell[];
  readonly #inputs: RecordValue;

  constructor(checked: Checked, hints: ProgramHints, constants: Constants, seed: number, size: number) {
    this.#checked = checked;
    this.#hints = hints;
    this.#chance = new Chance(seed * 7919 + 1);
    this.#values = new Values(constants, this.#chance, size);
    this.#failing = seed % 5 === 4 ? 20 : 0;
    const given = this.#values.value(recordOf(checked.document.program.inputs), hints.inputs);
    this.#inputs = isRecord(given) ? given : record([]);
    this.#initial = this.#cells(constants);
  }

  async run(): Promise<Replayed> {
    const [inputs, initial] = [this.#inputs, this.#initial];
    const tools = new Map(this.#checked.document.tools.map(({ name }) => [name, nobody]));
    const recorded = (call: PendingCall) => this.#outcome(call);
    const made = await run(this.#checked, {
      inputs,
      initial,
      tools,
      recorded,
      concurrency: 1,
      limits: runLimits,
    });
    return { run: made, recorded: { inputs, initial, trace: made.trace } };
  }

  /** Picks initial values for undeclared cells. */
  #cells({ texts }: Constants): readonly Cell[] {
    return [...this.#checked.fluents.values()].flatMap(({ name, key, value, initial }): Cell[] => {
      if (initial !== undefined) return [];
      const keys: readonly Value[] =
        key.kind === "string"
          ? [...new Set([...texts.slice(0, 8), "a", "b"])]
          : [this.#values.value(key, undefined)];
      return keys.map((at) => ({ fluent: name, key: at, value: this.#values.value(value, undefined) }));
    });
  }

  #outcome(call: PendingCall): Outcome {
    const { tool, id } = call;
    if (this.#chance.odds(this.#failing)) return { kind: "failed", reason: "the tool is taken to fail here" };
    if (tool.result === undefined) return { kind: "returned" };
    const hints = this.#hints.results.get(id) ?? new Hints();
    for (let i = 1; ; i++) {
      const result = this.#values.value(tool.result, hints);
      if (i === mostResults || this.#meetsEnsures(call, result)) return { kind: "returned", result };
    }
  }

  #meetsEnsures({ tool, args }: PendingCall, result: Value): boolean {
    if (tool.ensures.length === 0) return true;
    const state = State.initial(this.#checked, this.#initial);
    const environment = callEnvironment(this.#checked, tool, args, state, new Meter(runLimits), result);
    try {
      return firstBroken(tool.ensures, environment) === undefined;
    } catch (error) {
      if (error instanceof LimitReached) return false;
      throw error;
    }
  }
}
