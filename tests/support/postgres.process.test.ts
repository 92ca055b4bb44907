import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { PostgresServer } from "./postgres.ts";

const nothing = () => undefined;

describe("where there is no PostgreSQL", () => {
  it("tests that need it are skipped on a developer's machine", async () => {
    expect(await PostgresServer.start(nothing, "")).toBeUndefined();
  });

  it("tests that need it fail in CI, all of a file at once", async () => {
    await expect(PostgresServer.start(nothing, "true")).rejects.toThrow("in CI there must be");
  });
});

it("starts again only once nothing holds the memory of the server that was killed", async (context) => {
  const server = await PostgresServer.start();
  if (server === undefined) return context.skip();
  try {
    const held = new pg.Client({ connectionString: server.url, application_name: "foreclaim" });
    held.on("error", () => {});
    await held.connect();
    const [backend] = await server.backends();
    const [row] = await server.query("SHOW data_directory");
    const [postmaster] = readFileSync(join(String(row?.data_directory), "postmaster.pid"), "utf8").split(
      "\n",
    );
    // A process that does not get the processor does not see that its server is gone, as on a busy machine.
    process.kill(Number(backend), "SIGSTOP");
    process.kill(Number(postmaster), "SIGKILL");
    const logs: string[] = [];
    await server.boot((log) => {
      if (logs.push(log) === 1) process.kill(Number(backend), "SIGKILL");
    });
    expect(logs[0]).toContain("pre-existing shared memory block");
    expect(await server.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    for (let i = 0; i < 3; i++) {
      await server.killServer();
      await server.boot((log) => logs.push(log));
    }
  } finally {
    await server.stop();
  }
});
