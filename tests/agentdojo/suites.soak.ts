/** As many attacks on the tasks of AgentDojo's suites as there is time for: all of them in an hour, others for every seed. */
import { afterAll, describe, expect, it } from "vitest";
import { everything } from "../../bench/agentdojo/everything.ts";
import { factsFolder, readSuite, suites } from "../../bench/agentdojo/facts.ts";
import { missesOf } from "../../bench/agentdojo/print.ts";
import { Workbench } from "../../bench/agentdojo/prove.ts";
import { ROOT } from "../../scripts/tools.mjs";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { seed } from "../support/runs.ts";

const folder = factsFolder(ROOT);
const every = Math.max(1, Math.round(60 / Number(process.env.FORECLAIM_SOAK)));
const solver = z3Wasm();
afterAll(() => solver.close());

describe.skipIf(folder === undefined)("AgentDojo", () => {
  it.each(suites)("%s", async (name) => {
    const suite = readSuite(folder ?? "", name);
    const part = { every, everyTask: 1, first: seed() ?? 0 };
    const found = await everything(new Workbench(ROOT, solver), suite, part);
    expect(missesOf({ suite, found, proofs: 0 })).toEqual([]);
  });
});
