import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/built.ts";
import { PostgresServer } from "../support/postgres.ts";
import { runs, seed as seedAsked } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { approvesAll, crash } from "./worker-crashes.ts";
import { Field } from "./worker-field.ts";

const server = await PostgresServer.start();
const seed = seedAsked() ?? Math.floor(Math.random() * 2 ** 31);

describe.skipIf(server === undefined)("workers that are killed", () => {
  let field: Field;
  beforeAll(async () => {
    await build();
    field = await Field.start(server!.ledgerUrl("crash"), approvesAll);
  }, timeout(120));
  afterAll(async () => {
    await field?.stop();
    await server?.stop();
  });

  it(`do nothing twice, lose nothing, and list what is in doubt (seed ${seed})`, {
    timeout: timeout(300),
  }, async () => {
    const doubts = await crash(field, { workers: 2, runs: runs(3), kills: runs(5), seed });
    expect(doubts).toBeGreaterThanOrEqual(0);
  });
});
