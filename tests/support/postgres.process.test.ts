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
