/** Contract of every ledger: one suite, called with a way to open fresh ones. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ledger, LedgerUnavailable, type Stored } from "../../src/ledger/port.ts";
import { append, entry, textOf, wholeLog } from "./ledger-entries.ts";

/**
 * `fresh` gives a ledger that no one has used yet, `again` another way into the same one, if that engine has ledgers
 * that are shared.
 */
export function ledgerContract(
  fresh: () => Promise<Ledger>,
  again?: (ledger: Ledger) => Promise<Ledger>,
): void {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await fresh();
  });
  afterAll(() => ledger.close());

  describe("appending", () => {
    it("keeps entries as they are, in order", async () => {
      await ledger.transact("order", 0, (after) => {
        expect(after).toEqual([]);
        return [entry(1, "a"), entry(2, "b")];
      });
      await ledger.transact("order", 2, (after) => {
        expect(after).toEqual([]);
        return [entry(3, "c")];
      });
      expect(await ledger.read("order", 1, 10)).toEqual([entry(1, "a"), entry(2, "b"), entry(3, "c")]);
    });

    it("tells what was appended since", async () => {
      for (const text of ["a", "b", "c"]) await append(ledger, "since", text);
      const told: (readonly Stored[])[] = [];
      for (const since of [0, 1, 3]) {
        await ledger.transact("since", since, (after) => {
          told.push(after);
          return [];
        });
      }
      expect(told.map((after) => after.map(textOf))).toEqual([["a", "b", "c"], ["b", "c"], []]);
      expect(told.map((after) => after.map(({ seq }) => seq))).toEqual([[1, 2, 3], [2, 3], []]);
    });

    it("appends nothing if `decide` throws, and throws the same", async () => {
      await append(ledger, "throws", "a");
      const error = new Error("no");
      const tried = ledger.transact("throws", 0, () => {
        throw error;
      });
      await expect(tried).rejects.toBe(error);
      expect(await append(ledger, "throws", "b")).toBe(2);
      expect((await wholeLog(ledger, "throws")).map(textOf)).toEqual(["a", "b"]);
    });

    it("appends nothing if `decide` gives nothing, and then has no such kernel", async () => {
      await ledger.transact("nothing", 0, () => []);
      expect(await ledger.read("nothing", 1, 10)).toEqual([]);
      expect(await ledger.kernels()).not.toContain("nothing");
    });

    it("does not share bytes with its callers", async () => {
      const mine = entry(1, "mine");
      await ledger.transact("bytes", 0, () => [mine]);
      mine.bytes.fill(0);
      const [read] = await ledger.read("bytes", 1, 1);
      read?.bytes.fill(0);
      await ledger.transact("bytes", 0, (after) => {
        after[0]?.bytes.fill(0);
        return [];
      });
      expect((await wholeLog(ledger, "bytes")).map(textOf)).toEqual(["mine"]);
    });

    it.each([
      ["a gap", [entry(3, "c")]],
      ["what is there already", [entry(1, "b")]],
      ["a gap inside", [entry(2, "b"), entry(4, "d")]],
      ["the same number twice", [entry(2, "b"), entry(2, "c")]],
      ["the wrong order", [entry(3, "c"), entry(2, "b")]],
      ["a number that is none", [{ ...entry(2, "b"), seq: Number.NaN }]],
      ["half a number", [{ ...entry(2, "b"), seq: 2.5 }]],
      ["a hash in capitals", [{ ...entry(2, "b"), hash: "A".repeat(64) }]],
      ["a short hash", [{ ...entry(2, "b"), hash: "ab" }]],
      ["a hash with more behind it", [{ ...entry(2, "b"), hash: `${"a".repeat(64)}\n` }]],
      ["no bytes", [{ ...entry(2, "b"), bytes: new Uint8Array() }]],
      ["bytes that are none", [{ ...entry(2, "b"), bytes: "b" as unknown as Uint8Array }]],
      ["a promise", Promise.resolve([]) as unknown as readonly Stored[]],
    ])("refuses %s and appends nothing", async (name, entries) => {
      const kernel = `refuses ${name}`;
      await append(ledger, kernel, "a");
      await expect(ledger.transact(kernel, 0, () => entries)).rejects.toThrow(/entr/);
      expect((await wholeLog(ledger, kernel)).map(textOf)).toEqual(["a"]);
    });

    it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
      "refuses to start after %d",
      async (since) => {
        await expect(ledger.transact("since", since, () => [])).rejects.toThrow(
          "`since` is a sequence number",
        );
      },
    );

    it("refuses one who has seen entries that are not there", async () => {
      await append(ledger, "set back", "a");
      await expect(ledger.transact("set back", 2, () => [])).rejects.toThrow(/rolled back or replaced/);
      await expect(ledger.transact("never seen", 1, () => [])).rejects.toThrow(LedgerUnavailable);
      expect(await append(ledger, "set back", "b", 1)).toBe(2);
    });

    it("keeps big entries, and refuses those above the limit", async () => {
      const bytes = new Uint8Array(5_000_000).map((_, index) => (index * 7919) >> 3);
      const big = { seq: 1, hash: "0".repeat(64), bytes };
      await ledger.transact("big", 0, () => [big]);
      const [read] = await ledger.read("big", 1, 1);
      expect(Buffer.compare(read!.bytes, bytes)).toBe(0);
      const bigger = { seq: 2, hash: "0".repeat(64), bytes: new Uint8Array(16 * 1024 * 1024 + 1) };
      await expect(ledger.transact("big", 1, () => [bigger])).rejects.toThrow("entry 2 has 16777217 bytes");
      // Together more than one statement takes.
      const three = [2, 3, 4].map((seq) => ({ ...big, seq, bytes: new Uint8Array(7_000_000).fill(seq) }));
      await ledger.transact("big", 1, () => three);
      expect((await ledger.read("big", 2, 5)).map(({ bytes }) => [bytes.length, bytes[0]])).toEqual([
        [7_000_000, 2],
        [7_000_000, 3],
        [7_000_000, 4],
      ]);
    });
  });

  describe("many at once", () => {
    it("gives each its own number, and the order of the calls", async () => {
      const numbers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => append(ledger, "crowd", `${n}`)),
      );
      expect(numbers).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
      expect((await wholeLog(ledger, "crowd")).map(textOf)).toEqual(numbers.map((n) => `${n - 1}`));
    });

    it("one that throws takes no one else with it", async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          n % 3 === 0
            ? ledger.transact("mixed", 0, () => {
                throw new Error("no");
              })
            : n % 3 === 1
              ? ledger.transact("mixed", 0, () => [entry(10_000, "gap")])
              : append(ledger, "mixed", `${n}`),
        ),
      );
      expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(
        outcomes.map((_, n) => n % 3 === 2),
      );
      expect((await wholeLog(ledger, "mixed")).length).toBe(10);
    });

    it("each sees what the one before it appended", async () => {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          ledger.transact("sum", 0, (after) => {
            const last = Number(after.length === 0 ? 0 : textOf(after.at(-1)!));
            return [entry(after.length + 1, `${last + 1}`)];
          }),
        ),
      );
      expect((await wholeLog(ledger, "sum")).map(textOf)).toEqual(
        Array.from({ length: 50 }, (_, n) => `${n + 1}`),
      );
    });

    it("keeps many kernels apart", async () => {
      const own = await fresh();
      const names = Array.from({ length: 40 }, (_, n) => `kernel ${String(n).padStart(2, "0")}`);
      await Promise.all([...names, ...names, ...names].map((name) => append(own, name, `of ${name}`)));
      expect(await own.kernels()).toEqual(names);
      for (const name of names) {
        expect((await wholeLog(own, name)).map(textOf)).toEqual([`of ${name}`, `of ${name}`, `of ${name}`]);
      }
      await own.close();
    });
  });

  describe("names of kernels", () => {
    const names = [
      "é", // composed
      "e\u0301", // the same to the eye, another name
      "日本語 🦊",
      "'; DROP TABLE entry; --",
      '"quoted" \\ and `back`',
      "%s $1 :name ?1 $(x)",
      "__proto__",
      "constructor",
      " ",
      "a".repeat(200),
      "A",
      "a",
      "../../etc/passwd",
      "\u202eright to left",
    ];

    it("are kept exactly", async () => {
      const own = await fresh();
      for (const [index, name] of names.entries()) await append(own, name, `${index}`);
      expect(await own.kernels()).toEqual([...names].sort());
      for (const [index, name] of names.entries()) {
        expect((await wholeLog(own, name)).map(textOf)).toEqual([`${index}`]);
        await own.saveSnapshot(name, { seq: 1, bytes: new Uint8Array([index]) });
      }
      for (const [index, name] of names.entries()) {
        expect(await own.loadSnapshot(name)).toEqual({ seq: 1, bytes: new Uint8Array([index]) });
      }
      await own.close();
    });

    it.each([
      ["empty", ""],
      ["with NUL", "a\0b"],
      ["with a line break", "a\nb"],
      ["with half a character", "a\ud800"],
      ["too long", "é".repeat(101)],
      ["not a text", 7 as unknown as string],
    ])("are refused when %s", async (_, name) => {
      const refused = "a kernel's name";
      await expect(append(ledger, name, "a")).rejects.toThrow(refused);
      await expect(ledger.read(name, 1, 1)).rejects.toThrow(refused);
      await expect(ledger.loadSnapshot(name)).rejects.toThrow(refused);
      await expect(ledger.saveSnapshot(name, { seq: 1, bytes: new Uint8Array() })).rejects.toThrow(refused);
    });
  });

  describe("reading", () => {
    it("goes by pages", async () => {
      await ledger.transact("pages", 0, () => Array.from({ length: 25 }, (_, n) => entry(n + 1, `${n + 1}`)));
      const page = async (from: number, limit: number) =>
        (await ledger.read("pages", from, limit)).map(textOf);
      expect(await page(1, 3)).toEqual(["1", "2", "3"]);
      expect(await page(24, 3)).toEqual(["24", "25"]);
      expect(await page(26, 3)).toEqual([]);
      expect(await page(1, Number.MAX_SAFE_INTEGER)).toHaveLength(25);
      expect(await wholeLog(ledger, "pages", 5)).toHaveLength(25);
      expect(await ledger.read("unknown", 1, 3)).toEqual([]);
    });

    it.each([
      [0, 1],
      [-1, 1],
      [1.5, 1],
      [1, 0],
      [1, -1],
      [1, Number.NaN],
    ])("refuses from %d, limit %d", async (from, limit) => {
      await expect(ledger.read("pages", from, limit)).rejects.toThrow(RangeError);
    });
  });

  describe("snapshots", () => {
    it("the newest wins", async () => {
      await ledger.transact("snap", 0, () => [1, 2, 3].map((seq) => entry(seq, `${seq}`)));
      expect(await ledger.loadSnapshot("snap")).toBeUndefined();
      const save = (seq: number, ...bytes: number[]) =>
        ledger.saveSnapshot("snap", { seq, bytes: Uint8Array.from(bytes) });
      await save(2, 2);
      await save(1, 1);
      expect(await ledger.loadSnapshot("snap")).toEqual({ seq: 2, bytes: Uint8Array.of(2) });
      await save(3);
      expect(await ledger.loadSnapshot("snap")).toEqual({ seq: 3, bytes: new Uint8Array() });
      await save(3, 7);
      expect(await ledger.loadSnapshot("snap")).toEqual({ seq: 3, bytes: Uint8Array.of(7) });
    });

    it("include nothing that is not there", async () => {
      await append(ledger, "ahead", "a");
      const bytes = new Uint8Array([1]);
      await expect(ledger.saveSnapshot("ahead", { seq: 2, bytes })).rejects.toThrow(
        "entry 2, which is not there",
      );
      await expect(ledger.saveSnapshot("no kernel", { seq: 1, bytes })).rejects.toThrow("which is not there");
      await expect(ledger.saveSnapshot("ahead", { seq: 0, bytes })).rejects.toThrow("names the last entry");
      expect(await ledger.loadSnapshot("ahead")).toBeUndefined();
      expect(await ledger.kernels()).not.toContain("no kernel");
    });
  });

  describe("closing", () => {
    it("waits for what was asked before, and refuses what comes after", async () => {
      const own = await fresh();
      const asked = Array.from({ length: 20 }, (_, n) => append(own, `k${n % 4}`, `${n}`));
      const closed = own.close();
      await expect(append(own, "late", "x")).rejects.toThrow("closed");
      expect((await Promise.allSettled(asked)).every(({ status }) => status === "fulfilled")).toBe(true);
      await closed;
      await own.close();
      await expect(own.read("k0", 1, 1)).rejects.toThrow(LedgerUnavailable);
      await expect(own.kernels()).rejects.toThrow(LedgerUnavailable);
    });
  });

  if (again === undefined) return;

  describe("shared", () => {
    it("is one log to all who opened it", async () => {
      const first = await fresh();
      const others = await Promise.all([again(first), again(first), again(first)]);
      const all = [first, ...others];
      const numbers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => append(all[n % 4]!, "shared", `${n}`)),
      );
      expect([...numbers].sort((a, b) => a - b)).toEqual(numbers.map((_, n) => n + 1));
      for (const one of all) expect(await wholeLog(one, "shared")).toHaveLength(100);
      expect(await all[1]!.kernels()).toEqual(["shared"]);
      for (const one of all) await one.close();
    });

    it("tells `decide` what others appended meanwhile", async () => {
      const one = await fresh();
      const other = await again(one);
      expect(await append(one, "both", "a")).toBe(1);
      expect(await append(other, "both", "b", 1)).toBe(2);
      let told: readonly string[] = [];
      await one.transact("both", 1, (after) => {
        told = after.map(textOf);
        return [entry(3, "c")];
      });
      expect(told).toEqual(["b"]);
      await one.close();
      expect((await wholeLog(other, "both")).map(textOf)).toEqual(["a", "b", "c"]);
      await other.close();
    });
  });
}
