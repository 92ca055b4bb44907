import { describe, expect, it } from "vitest";
import { ledgerContract } from "../../tests/support/ledger-contract.ts";
import { append, entry, wholeLog } from "../../tests/support/ledger-entries.ts";
import { MemoryLedger } from "./memory.ts";

describe("a ledger in memory", () => {
  ledgerContract(async () => new MemoryLedger());

  it("refuses to append below a `decide` that appended itself", async () => {
    await using ledger = new MemoryLedger();
    let inner: Promise<unknown> = Promise.resolve();
    const outer = ledger.transact("a", 0, () => {
      inner = append(ledger, "a", "inner");
      return [entry(1, "outer")];
    });
    await expect(outer).rejects.toThrow("appended to the log it decides on");
    await inner;
    expect(await wholeLog(ledger, "a")).toHaveLength(1);
  });
});
