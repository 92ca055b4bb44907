/** A run agrees with its record for every order; and an order is one that runs can have. */
import { expect, test } from "vitest";
import type { Checked } from "../../src/ir/check/index.ts";
import { eventsOf, isOrderly } from "../../src/ir/eval/trace.ts";
import { run } from "../../src/ir/run/interpret.ts";
import type { Run } from "../../src/ir/run/options.ts";
import { checkedOf } from "../support/parallel/desk.ts";
import { byChance, everyOrder, forReal, limits, serially, World } from "../support/parallel/interleavings.ts";
import { declarations, parallelProgram } from "../support/parallel/programs.ts";
import { Chance } from "../support/program/chance.ts";
import { seed as givenSeed, runs } from "../support/runs.ts";

const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);

async function expectReplayed(checked: Checked, world: World, made: Run, seed: number): Promise<void> {
  expect(isOrderly(made.trace)).toBe(true);
  const nobody = { run: () => Promise.reject(new Error("not made")) };
  const tools = new Map(checked.document.tools.map(({ name }) => [name, nobody]));
  const again = await run(checked, { inputs: world.inputs, tools, limits, recorded: made.trace });
  expect(again.trace, `seed ${seed}`).toEqual(made.trace);
  expect(outcomeOf(again), `seed ${seed}`).toEqual(outcomeOf(made));
  expect(stateText(checked, again)).toEqual(stateText(checked, made));
}

/**
 * Returns the end of the run. A refused call is in no record, so its turn is unknown: its requirement may be broken
 * or only not known to hold, but its place may not differ.
 */
function outcomeOf({ outcome }: Run): unknown {
  if (outcome.kind !== "stopped") return outcome;
  const { code, path } = outcome.problem;
  return { kind: "stopped", path, code: code === "FC1512" ? "FC1502" : code };
}

function stateText(checked: Checked, { state }: Run): string {
  const cells = [...checked.fluents.keys()].flatMap((name) => [...state.cells(name)]);
  return cells
    .map(({ fluent, key, value }) => `${fluent} ${String(key)} ${String(value)}`)
    .sort()
    .join();
}

/** Returns the common part of every order: for a completed run without failures, the calls and their arguments. */
function callsOf({ trace }: Run): string[] {
  return trace.map(({ id, indices, args }) => `${id}@${indices.join()} ${stableText(args)}`).sort();
}

function stableText(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
}

test("every run is made again from its record, and makes the same calls in any order", {
  timeout: 600_000,
}, async () => {
  const tally = { completed: 0, stopped: 0, overlapping: 0, real: 0 };
  for (let seed = first; seed < first + runs(120); seed++) {
    const { checked } = parallelProgram(seed);
    const world = new World(seed);
    const chance = Chance.seeded(seed);
    const serial = await serially(checked, world);
    for (let i = 0; i < 6; i++) {
      const isReal = i % 2 === 0;
      const made = await (isReal ? forReal : byChance)(checked, world, chance);
      await expectReplayed(checked, world, made, seed);
      tally[made.outcome.kind]++;
      if (made.trace.some(({ ended }) => ended !== undefined)) tally.overlapping++;
      if (isReal) tally.real++;
      const isWhole = serial.outcome.kind === "completed" && made.outcome.kind === "completed";
      if (isWhole) expect(callsOf(made), `seed ${seed}`).toEqual(callsOf(serial));
    }
  }
  process.stdout.write(`interleavings from seed ${first}: ${JSON.stringify(tally)}\n`);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(0);
});

test("what is explored is every order of the starts and ends", async () => {
  const checked = parallelText(["ping(n: 1)", "ping(n: 2)"], ["pong(n: 1)", "pong(n: 2)"]);
  const orders = new Set<string>();
  for await (const { trace } of everyOrder(checked, new World(0)))
    orders.add(
      eventsOf(trace)
        .map(({ kind, entry: { id } }) => `${kind[0]}${id}`)
        .join(" "),
    );
  // Of the 70 shuffles of four moments and four, those in which the first branch starts first: half of them.
  expect(orders.size).toBe(35);
  const singles = new Set<string>();
  for await (const { trace } of everyOrder(parallelText(["ping(n: 1)"], ["pong(n: 2)"]), new World(0)))
    singles.add(
      eventsOf(trace)
        .map(({ kind, entry: { id } }) => `${kind[0]}${id}`)
        .join(" "),
    );
  expect([...singles].sort()).toEqual(["sc1 ec1 sc2 ec2", "sc1 sc2 ec1 ec2", "sc1 sc2 ec2 ec1"]);
});

function parallelText(...branches: readonly (readonly string[])[]): Checked {
  const lines = branches.map((calls) => `branch { ${calls.map((call) => `call ${call}`).join("\n")} }`);
  return checkedOf(
    `${declarations}program (i: int, j: int, c: bool, xs: list<int>) {\nparallel {\n${lines.join("\n")}\n}\n}`,
  );
}
