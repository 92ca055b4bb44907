/** Four workers, many kills: `FORECLAIM_RUNS=10` makes ten times as many. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";
import { runs, seed as seedAsked } from "../support/runs.ts";
import { approvesAll, crash } from "./worker-crashes.ts";
import { Field } from "./worker-field.ts";

const server = await PostgresServer.start();
const seed = seedAsked() ?? Math.floor(Math.random() * 2 ** 31);

describe.skipIf(server === undefined)("four workers", () => {
  let field: Field;
  beforeAll(async () => {
    await build();
    field = await Field.start(server!.ledgerUrl("soak"), approvesAll, "1000000");
  }, 120_000);
  afterAll(async () => {
    await field?.stop();
    await server?.stop();
  });

  it(`are killed ${runs(100)} times (seed ${seed})`, { timeout: 0 }, async () => {
    const doubts = await crash(field, { workers: 4, runs: runs(40), kills: runs(100), seed });
    process.stderr.write(`${runs(100)} kills, ${runs(40)} runs, ${doubts} calls in doubt, seed ${seed}\n`);
    expect(doubts).toBeGreaterThanOrEqual(0);
  });
});
