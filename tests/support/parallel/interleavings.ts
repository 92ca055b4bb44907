/**
 * Runs of one program in one world, in many orders: what tools return and which calls fail is decided by which call it is,
 * so that nothing but the order differs.
 */
import { setImmediate } from "node:timers/promises";
import type { Checked } from "../../../src/ir/check/index.ts";
import type { Outcome } from "../../../src/ir/eval/trace.ts";
import { defaultLimits } from "../../../src/ir/limits.ts";
import { run } from "../../../src/ir/run/interpret.ts";
import type { PendingCall, Run, RunOptions, ToolHandler } from "../../../src/ir/run/options.ts";
import { list, type RecordValue, record, type Value } from "../../../src/ir/value.ts";
import { Chance, hashText } from "../program/chance.ts";

export const limits = { ...defaultLimits, steps: 30_000 };

/** Inputs and tool results, independent of the order. */
export class World {
  readonly inputs: RecordValue;
  readonly #seed: number;
  readonly #failing: number;

  constructor(seed: number) {
    const chance = Chance.seeded(seed);
    this.#seed = seed;
    this.#failing = chance.pick([0, 0, 0, 20]);
    const int = () => BigInt(chance.int(0, 3));
    const xs = list(chance.times(0, 3, int));
    this.inputs = record([
      ["i", int()],
      ["j", int()],
      ["c", chance.odds(50)],
      ["xs", xs],
    ]);
  }

  readonly outcome = ({ id, indices, tool }: Pick<PendingCall, "id" | "indices" | "tool">): Outcome => {
    const chance = Chance.seeded(hashText(`${this.#seed} ${id} ${indices.join()}`));
    if (chance.odds(this.#failing)) return { kind: "failed", reason: "no" };
    if (tool.result === undefined) return { kind: "returned" };
    const int = () => BigInt(chance.int(0, 3));
    const result: Value = tool.result.kind === "list" ? list(chance.times(0, 2, int)) : int();
    return { kind: "returned", result };
  };
}

const nobody: ToolHandler = {
  run: () => {
    throw new Error("every answer is given");
  },
};

function optionsFor(checked: Checked, world: World): RunOptions {
  const tools = new Map(checked.document.tools.map(({ name }) => [name, nobody]));
  return { inputs: world.inputs, tools, limits, recorded: world.outcome };
}

/** One call at a time. */
export function serially(checked: Checked, world: World): Promise<Run> {
  return run(checked, { ...optionsFor(checked, world), concurrency: 1 });
}

/** As chance has it. */
export function byChance(checked: Checked, world: World, chance: Chance): Promise<Run> {
  const eager = chance.pick([20, 50, 90]);
  const concurrency = chance.pick([2, 3, 16]);
  return run(checked, {
    ...optionsFor(checked, world),
    concurrency,
    schedule: (choices) => {
      const starts = choices.filter(({ kind }) => kind === "start").length;
      const ends = choices.length - starts;
      if (ends === 0 || (starts > 0 && chance.odds(eager))) return chance.int(0, starts - 1);
      return starts + chance.int(0, ends - 1);
    },
  });
}

/**
 * Every order there is, one after the other, as long as somebody asks. Each run follows the choices of the one before but
 * for the last that can be made otherwise.
 */
export async function* everyOrder(checked: Checked, world: World): AsyncGenerator<Run> {
  let path: { readonly chosen: number; readonly of: number }[] = [];
  do {
    const before = path;
    const taken: typeof path = [];
    yield await run(checked, {
      ...optionsFor(checked, world),
      concurrency: 1000,
      schedule: (choices) => {
        const chosen = before[taken.length]?.chosen ?? 0;
        taken.push({ chosen, of: choices.length });
        return chosen;
      },
    });
    path = taken;
    for (let last = path.at(-1); last !== undefined && last.chosen + 1 >= last.of; last = path.at(-1))
      path.pop();
    const last = path.pop();
    if (last !== undefined) path.push({ ...last, chosen: last.chosen + 1 });
  } while (path.length > 0);
}

/** For real: tools that answer when chance lets them, several at once now and then. */
export async function forReal(checked: Checked, world: World, chance: Chance): Promise<Run> {
  const open: (() => void)[] = [];
  const tools = new Map<string, ToolHandler>();
  for (const tool of checked.tools.values()) {
    tools.set(tool.name, {
      integers: "bigint",
      run: (_, { id, indices }) =>
        new Promise((resolve, reject) => {
          const outcome = world.outcome({ id, indices, tool });
          open.push(() => {
            if (outcome.kind === "returned") resolve(outcome.result);
            else reject(new Error("no"));
          });
        }),
    });
  }
  const { recorded: _, ...options } = optionsFor(checked, world);
  const hook = { before: async () => ({ kind: "proceed" as const }), after: async () => {} };
  let done = false;
  const running = run(checked, {
    ...options,
    tools,
    concurrency: chance.pick([1, 2, 3, 16]),
    ...(chance.odds(50) && { hook }),
  }).finally(() => {
    done = true;
  });
  while (!done) {
    await setImmediate();
    for (const go of chance
      .times(1, 2, () => open.splice(chance.int(0, Math.max(0, open.length - 1)), 1))
      .flat())
      go();
  }
  return running;
}
