import { describe, expect, it } from "vitest";
import { openLedger } from "./open.ts";
import { LedgerUnavailable } from "./port.ts";

describe("openLedger", () => {
  it("opens a ledger in memory, a new one each time", async () => {
    const first = await openLedger("memory:");
    expect(first.url).toBe("memory:");
    await first.transact("a", 0, () => [{ seq: 1, hash: "0".repeat(64), bytes: Uint8Array.of(1) }]);
    const second = await openLedger("memory:");
    expect(await second.kernels()).toEqual([]);
  });

  it.each([
    ["", "a ledger is named by a URL: `memory:`, `sqlite:<file>` or `postgres://…`"],
    ["ledger.db", "a ledger is named by a URL: `memory:`, `sqlite:<file>` or `postgres://…`"],
    ["/var/ledger.db", "a ledger is named by a URL: `memory:`, `sqlite:<file>` or `postgres://…`"],
    [
      "mysql://user:hidden@host/db",
      "no ledger has the scheme `mysql:`; there are `memory:`, `sqlite:<file>` or `postgres://…`",
    ],
    ["memory:shared", "`memory:` takes no name, because it belongs to one process"],
    ["sqlite:", "`sqlite:` is followed by the path of a file"],
    ["sqlite:a\0b", "`sqlite:` is followed by the path of a file"],
    ["sqlite://host/a.db", "`sqlite:` takes the path of a file on this machine: `sqlite:ledger.db`"],
    ["sqlite::memory:", "a ledger in memory is `memory:`"],
    [
      "postgres://user:hidden@host:port/db",
      "the `postgres:` URL cannot be read; its form is `postgres://user@host:port/database`",
    ],
    [
      "postgres://user:hidden%ZZ@host/db",
      "the `postgres:` URL cannot be read; its form is `postgres://user@host:port/database`",
    ],
    [
      'postgres://user:hidden@host/db?schema=a";--',
      "`schema` is a name of lower-case letters, digits and `_` that does not begin with `pg_`",
    ],
    [
      "postgres://user:hidden@host/db?schema=pg_catalog",
      "`schema` is a name of lower-case letters, digits and `_` that does not begin with `pg_`",
    ],
  ])("refuses %j", async (url, message) => {
    const error = await openLedger(url).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LedgerUnavailable);
    expect(error).toMatchObject({ name: "LedgerUnavailable", message });
    expect(message).not.toContain("hidden");
  });
});
