/** A ledger that goes away while it commits: what was kept is not done twice, and nobody takes another's entry for theirs. */

import { describe, expect, test } from "vitest";
import { Kernel, type Log, verify } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { InDoubt } from "../../src/ledger/port.ts";
import { act, usd } from "./support.ts";

/** Faults of the next transactions: before the commit, after it, or long after the caller was told. */
type Fault = "before" | "after" | "late" | "none";

class Shaky implements Log {
  readonly faults: Fault[] = [];
  /** Runs between a fault and the next call. */
  meanwhile: () => Promise<void> = async () => undefined;
  readonly #ledger: MemoryLedger;
  #late: (() => Promise<void>) | undefined;

  constructor(ledger: MemoryLedger) {
    this.#ledger = ledger;
  }

  async transact(...args: Parameters<Log["transact"]>): Promise<void> {
    const fault = this.faults.shift() ?? "none";
    // What was still on its way arrives before anyone is alone with the log again.
    await this.#late?.();
    this.#late = undefined;
    const [name, since, decide] = args;
    if (fault === "after" || fault === "none") await this.#ledger.transact(...args);
    else {
      const entries = decide(await this.#ledger.read(name, since + 1, 1_000));
      if (fault === "late") this.#late = () => this.#ledger.transact(name, since, () => entries);
    }
    if (fault === "none") return;
    await this.meanwhile();
    throw new InDoubt("the ledger went away");
  }

  read(...args: Parameters<Log["read"]>) {
    return this.#ledger.read(...args);
  }
}

async function shell(ledger: Log): Promise<Kernel> {
  const opened = await Kernel.open({
    ledger,
    policy: { budgets: usd(100) },
    state: { n: 0 },
    clock: () => 7,
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

const up = { ...act({ key: "n", op: "increment", value: 1 }), cost: 1 };
const same = { ...act({ key: "n", op: "set", value: 0 }), cost: 0 };

describe("two shells that do the same at the same moment", () => {
  for (const first of ["before", "after", "late"] as const) {
    for (const second of ["before", "after", "late", "none"] as const) {
      for (const [action, count] of [
        [up, 1],
        [up, 2],
        [same, 1],
      ] as const) {
        test(`faults ${first} and ${second}, ${count} of ${action === up ? "one more" : "nothing new"}`, async () => {
          const ledger = new MemoryLedger();
          const shaky = new Shaky(ledger);
          const [one, two] = [await shell(shaky), await shell(ledger)];
          const told: number[] = [];
          shaky.faults.push(first, second);
          if (first !== "late" && second !== "late") {
            shaky.meanwhile = async () => {
              told.push((await two.execute(action)).seq);
            };
          }
          const outcomes = await Promise.all(
            count === 1 ? [one.execute(action)] : [one.execute(action), one.execute(action)],
          );
          told.push(...outcomes.map(({ seq }) => seq));
          await one.refresh();
          const trace = await ledger.read("main", 1, 1_000);
          // As many entries as were acknowledged, each acknowledged once.
          expect([...told].sort()).toEqual(trace.slice(1).map(({ seq }) => seq));
          if (action === up) expect(one.status().state).toBe(`{"n":${told.length}}`);
          expect(one.status().budgets.usd?.net).toBe(action === up ? String(told.length) : "0");
          for (const { seq, hash } of outcomes) expect(trace[seq - 1]?.hash).toBe(hash);
          expect((await verify(trace)).ok).toBe(true);
        });
      }
    }
  }

  test("write entries that differ, even if all they say is equal", async () => {
    const [a, b] = [new MemoryLedger(), new MemoryLedger()];
    const [one, two] = [await shell(a), await shell(b)];
    const [left, right] = [await one.execute(up), await two.execute(up)];
    expect({ ...left, hash: "", receipt: "" }).toEqual({ ...right, hash: "", receipt: "" });
    expect(left.hash).not.toBe(right.hash);
    expect(one.status().state).toBe(two.status().state);
  });
});

test("a doubt that does not end is told, and what was kept is there afterwards, once", async () => {
  const ledger = new MemoryLedger();
  const shaky = new Shaky(ledger);
  const kernel = await shell(shaky);
  shaky.faults.push("after", "after", "after", "after", "after");
  await expect(kernel.execute(up)).rejects.toThrow("went away");
  await kernel.refresh();
  expect(kernel.status()).toMatchObject({ state: '{"n":1}', budgets: { usd: { net: "1" } } });
});

test("an entry without a writer, or with another one, is not what the hash is of", async () => {
  const ledger = new MemoryLedger();
  const kernel = await shell(ledger);
  await kernel.execute(up);
  const [first, second] = await ledger.read("main", 1, 2);
  const text = new TextDecoder().decode(second!.bytes);
  expect(text).toMatch(/,"writer":"[0-9a-f]{32}-1"}$/);
  const bytes = new TextEncoder().encode(text.replace(/-1"}$/, '-2"}'));
  expect((await verify([first!, { ...second!, bytes }])).problem?.seq).toBe(2);
});

test("a checkpoint that cannot be kept takes no step back, and closing tells", async () => {
  const { newKeys } = await import("../../src/kernel/index.ts");
  const opened = await Kernel.open({
    ledger: new MemoryLedger(),
    state: { n: 0 },
    clock: () => 1,
    checkpoint: {
      ...newKeys(),
      every: 1,
      keep: () => {
        throw new Error("the disk is full");
      },
    },
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  expect((await opened.value.execute(act({ key: "n", op: "set", value: 1 }))).verdict).toBe("allowed");
  await expect(opened.value.close()).rejects.toThrow("the disk is full");
});
