/** Snapshots: opening from one comes to the same state, and whatever is wrong with one costs only time. */

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { KernelState } from "../../src/kernel/core/state.ts";
import { Kernel, type Log, type StoredEntry, type StoredSnapshot, verify } from "../../src/kernel/index.ts";
import { restored, stepOf } from "../../src/kernel/shell/follow.ts";
import { readStored } from "../../src/kernel/trace/read.ts";
import { readSnapshot, snapshotText } from "../../src/kernel/trace/snapshot.ts";
import { holdsDigest } from "../../src/kernel/trace/state-digest.ts";
import { entriesOf } from "../../src/kernel/trie.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, rule, set } from "./support.ts";

const policy = {
  budgets: [
    { name: "run", limit: 100, within: "day" },
    { name: "day", limit: 1_000, windowMs: 50 },
  ],
  rules: [
    rule("rateLimit", { key: "mails", max: 50 }),
    rule("timeWindow", { max: 5, windowMs: 10 }),
    rule("approvalGate", { key: "ok" }),
  ],
  probes: [{ name: "world", keys: ["n"], threshold: 1 }],
  emergencies: [{ id: "halt", effects: [set("halted", true)] }],
  undoSteps: 8,
};
const initial = { mails: 0, ok: true, n: 0, __proto__x: [1.5, null, { "": "ü\ud83d\ude00" }] };
const up = (key: string, value: unknown = 1) => ({ key, op: "increment", value });

/** Counts what is read, and can lie about the snapshot. */
class Watched implements Log {
  readonly ledger = new MemoryLedger();
  read_ = 0;
  lie: ((snapshot: StoredSnapshot | undefined) => StoredSnapshot | undefined) | undefined;
  transact(...args: Parameters<Log["transact"]>) {
    return this.ledger.transact(...args);
  }
  async read(...args: Parameters<Log["read"]>) {
    const found = await this.ledger.read(...args);
    this.read_ += found.length;
    return found;
  }
  saveSnapshot(...args: Parameters<MemoryLedger["saveSnapshot"]>) {
    return this.ledger.saveSnapshot(...args);
  }
  async loadSnapshot(name: string) {
    const found = await this.ledger.loadSnapshot(name);
    return this.lie === undefined ? found : this.lie(found);
  }
}

async function open(ledger: Log, more: object = {}, clock = { now: 1 }): Promise<Kernel> {
  const opened = await Kernel.open({ ledger, policy, state: initial, clock: () => clock.now, ...more });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

/** Some of everything that a kernel remembers. */
async function busy(ledger: Log, more: object = {}): Promise<Kernel> {
  const clock = { now: 1 };
  const kernel = await open(ledger, more, clock);
  const receipts: string[] = [];
  for (let i = 0; i < 12; i++) {
    clock.now += 7;
    const cost = i % 3 === 0 ? "0.25" : { day: "1.5" };
    const step = await kernel.execute({
      ...act(up("mails"), set(`k${i}`, [i, null, 0.5])),
      cost,
      tool: `tool ${i % 2}`,
      ...(i % 2 === 0 ? { undo: { call: i } } : {}),
    });
    receipts.push(step.receipt ?? "");
  }
  const held = await kernel.reserve({ ...act(up("n")), cost: 2, args: { to: "x" } }, "order 1");
  await kernel.reserve({ ...act(set("other", "y")), cost: 3 });
  const done = await kernel.reserve({ id: "pay", cost: 1 }, "order 2");
  await kernel.settle(done.receipt ?? "");
  const step = await kernel.execute(act(set("k0", 0)));
  await kernel.rollback(step.receipt ?? "");
  await kernel.execute({ id: "halt" });
  await kernel.observe("world", { n: 5 });
  // Beyond the next entry that vouches for a state with all of it.
  await Promise.all(Array.from({ length: 260 }, () => kernel.execute({ id: 7 })));
  expect(kernel.status().inDoubt.length).toBe(2);
  expect(held.verdict).toBe("allowed");
  return kernel;
}

test("at every entry that the next one vouches for, going on from a snapshot is going on", async () => {
  const ledger = new MemoryLedger();
  const last = await busy(ledger);
  const trace = await ledger.read("main", 1, 1_000);
  const jsonOf = (stored: StoredEntry) => {
    const parts = readStored(stored);
    if (!parts.ok) throw new Error(parts.problem.message);
    return parts.value.json;
  };
  let state: KernelState | undefined;
  let taken = 0;
  for (const [i, stored] of trace.entries()) {
    ({ state } = stepOf(state, stored, { functions: [] }));
    const text = snapshotText(state);
    const next = trace[i + 1];
    if (next === undefined) break;
    const vouching = {
      entry: jsonOf(stored),
      hash: stored.hash,
      next: jsonOf(next),
      first: trace[0]?.hash ?? "",
    };
    const { policy } = state;
    const restored = readSnapshot(text, () => ({ ok: true, value: policy }), vouching);
    expect(restored.ok).toBe(holdsDigest(next.seq));
    if (!restored.ok) continue;
    taken++;
    expect(snapshotText(restored.value)).toBe(text);
    for (const part of [
      "data",
      "times",
      "records",
      "pending",
      "held",
      "keys",
      "calls",
      "principals",
    ] as const) {
      expect([...entriesOf<unknown>(restored.value[part])]).toEqual([...entriesOf<unknown>(state[part])]);
    }
    let again = restored.value;
    for (const later of trace.slice(i + 1)) again = stepOf(again, later).state;
    expect(again.head).toBe(trace.at(-1)?.hash);
    expect([...Object.keys(restored.value)].sort()).toEqual([...Object.keys(state)].sort());
  }
  expect(taken).toBe(1);
  expect(last.status().head).toBe(trace.at(-1)?.hash);
});

describe("opening", () => {
  test("reads what came after the snapshot, and little else", async () => {
    const log = new Watched();
    const kernel = await busy(log, { snapshotEvery: 4 });
    await kernel.close();
    const { seq } = kernel.status();
    const saved = (await log.ledger.loadSnapshot("main"))?.seq ?? 0;
    // The last one that an entry vouches for.
    expect([(saved + 1) % 256, seq - saved <= 256]).toEqual([0, true]);
    log.read_ = 0;
    const again = await open(log);
    expect(log.read_).toBeLessThanOrEqual(seq - saved + 3);
    expect(again.status()).toEqual(kernel.status());
    expect(again.inDoubt()).toEqual(kernel.inDoubt());
    // What is remembered is remembered: the key of a settled action, the held keys, the receipts.
    expect((await again.reserve({ id: "pay", cost: 1 }, "order 2")).receipt).toBeUndefined();
    await again.resume("go on");
    const refused = await again.execute(act(set("other", 1)));
    expect(refused.reasons.map(({ code }) => code)).toContain("held");
    await kernel.refresh();
    expect(kernel.status()).toEqual(again.status());
  });

  test("is the same without any", async () => {
    const log = new Watched();
    const kernel = await busy(log, { snapshotEvery: 0 });
    await kernel.close();
    expect(await log.ledger.loadSnapshot("main")).toBeUndefined();
    expect((await open(log)).status()).toEqual(kernel.status());
  });

  test("with another policy is refused all the same", async () => {
    const log = new Watched();
    await (await busy(log)).close();
    await expect(open(log, { policy: { ...policy, maxSteps: 9 } })).rejects.toThrow("another policy");
    expect((await open(log, { policy: undefined })).status().steps).toBeGreaterThan(9);
  });
});

describe("a snapshot that is", async () => {
  const log = new Watched();
  const kernel = await busy(log);
  await kernel.close();
  const good = (await log.ledger.loadSnapshot("main"))!;
  const text = new TextDecoder().decode(good.bytes);
  const signed = (body: string) => `${createHash("sha256").update(body).digest("hex")}\n${body}`;
  const changed = (from: string | RegExp, to: string) => {
    const body = text.slice(65).replace(from, to);
    if (body === text.slice(65)) throw new Error(`nothing matches ${from}`);
    return { seq: good.seq, bytes: new TextEncoder().encode(signed(body)) };
  };
  const other = new Watched();
  await (await busy(other)).close();
  const foreign = (await other.ledger.loadSnapshot("main"))!;
  const lies: Record<string, () => StoredSnapshot | undefined> = {
    gone: () => undefined,
    empty: () => ({ seq: good.seq, bytes: new Uint8Array() }),
    "not UTF-8": () => ({ seq: good.seq, bytes: Uint8Array.of(0xff, 0xfe) }),
    truncated: () => ({ seq: good.seq, bytes: good.bytes.slice(0, -1) }),
    "half of itself": () => ({ seq: good.seq, bytes: good.bytes.slice(0, good.bytes.length >> 1) }),
    "of another kernel on another ledger": () => foreign,
    "of another kernel by name": () => changed('"kernel":"main"', '"kernel":"other"'),
    "under another policy": () => changed('"limit":"100"', '"limit":"101"'),
    "of a newer form": () => changed('"format":3', '"format":4'),
    "of no form": () => changed('"format":3', '"format":0'),
    "without a key that was used": () => changed(/"order 2":\{[^}]*\}/, '"order 3":{}'),
    "without any key that was used": () => changed(/"keys":\{.*?\}\},/, '"keys":{},'),
    "with a key that is free again": () => changed('"status":"settled"', '"status":"released"'),
    "with fewer steps": () => changed(/"steps":\d+/, '"steps":1'),
    "with fewer refusals": () => changed(/"refusals":\d+/, '"refusals":0'),
    "with more rollbacks": () => changed(/"rollbacks":\d+/, '"rollbacks":7'),
    "with fewer emergencies": () => changed('"emergencies":{"halt":1}', '"emergencies":{}'),
    "of a kernel that goes on": () => changed(/"stopped":.*?"time"/, '"time"'),
    "with another time of a step": () => changed(/"times":\{"(\d+)":\d+/, '"times":{"$1":1'),
    "with fewer calls": () => changed(/"calls":\{"tool 0":\d+/, '"calls":{"tool 0":1'),
    "with another undo": () => changed('"undo":{"call":8}', '"undo":{"call":9}'),
    "with a change that can no longer be rolled back": () => changed('"status":"open"', '"status":"final"'),
    "without a reservation": () => changed(/"pending":\{.*?\},"policy"/, '"pending":{},"policy"'),
    "ahead of the log": () => ({ ...changed(/"seq":\d+,"steps"/, '"seq":999,"steps"'), seq: 999 }),
    "behind what it says": () => ({ ...good, seq: good.seq - 1 }),
    "at no entry": () => ({ ...good, seq: 0 }),
    "of an earlier form": () => changed('"format":3', '"format":2'),
    "without a principal": () => changed(/"principals":\{.*?\},"records"/, '"principals":{},"records"'),
    "with a key that is not held": () => changed(/"held":\{.*?\},"kernel"/, '"held":{},"kernel"'),
    "of another state": () => changed('"mails":12', '"mails":1'),
    "of a state with a key less": () => changed('"mails":12,', ""),
    "of another version": () => changed(/"version":\d+}$/, '"version":1}'),
    "richer than it was": () => changed(/"spent":"\d+"/, '"spent":"0"'),
    "of another time": () => changed(/"time":\d+,"times"/, '"time":0,"times"'),
    "of another head": () => changed(/"head":"./, '"head":"g'),
    "without a part": () => changed(/"calls":{[^}]*},/, ""),
    "with a part more": () => changed(/^{/, '{"a":1,'),
    negative: () => changed(/"steps":\d+/, '"steps":-1'),
    "not an object": () => ({ seq: good.seq, bytes: new TextEncoder().encode(signed("[]")) }),
    "not JSON": () => ({ seq: good.seq, bytes: new TextEncoder().encode(signed("{")) }),
  };

  test.each(Object.entries(lies))("%s is as none", async (_, lie) => {
    lie();
    log.lie = lie;
    log.read_ = 0;
    const again = await open(log);
    expect(again.status()).toEqual(kernel.status());
    // All of it was read, so the snapshot was not taken.
    expect(log.read_).toBeGreaterThanOrEqual(kernel.status().seq);
  });

  test("changed at any field, with its own digest made anew, is as none", async () => {
    const leaves: (readonly (string | number)[])[] = [];
    const collect = (value: unknown, path: readonly (string | number)[]): void => {
      if (typeof value !== "object" || value === null) leaves.push(path);
      else
        for (const [key, part] of Object.entries(value))
          collect(part, [...path, Array.isArray(value) ? Number(key) : key]);
    };
    collect(JSON.parse(text.slice(65)), []);
    expect(leaves.length).toBeGreaterThan(200);
    log.lie = undefined;
    expect((await restored(log, "main", {}))?.seq).toBe(good.seq);
    for (const path of leaves) {
      const body = JSON.parse(text.slice(65));
      const parent = path.slice(0, -1).reduce((at, key) => at[key], body);
      const last = path.at(-1) ?? "";
      parent[last] = otherThan(parent[last]);
      log.lie = () => ({
        seq: good.seq,
        bytes: new TextEncoder().encode(signed(JSON.stringify(body))),
      });
      expect([path, await restored(log, "main", {})]).toEqual([path, undefined]);
    }
  });

  test("flipped at any byte is as none", async () => {
    for (let at = 0; at < good.bytes.length; at += 97) {
      const bytes = good.bytes.slice();
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      log.lie = () => ({ seq: good.seq, bytes });
      log.read_ = 0;
      const again = await open(log);
      expect(again.status().head).toBe(kernel.status().head);
      expect(log.read_).toBeGreaterThanOrEqual(kernel.status().seq);
    }
  });

  test("not to be had, or not to be saved, stops nothing", async () => {
    log.lie = () => {
      throw new Error("the disk is gone");
    };
    expect((await open(log)).status()).toEqual(kernel.status());
    const full = new Watched();
    full.saveSnapshot = () => {
      throw new Error("the disk is full");
    };
    let tried = 0;
    const one = await open(full, { snapshotEvery: 1, policy: {} });
    for (let i = 0; i < 600; i++) {
      expect((await one.execute({ id: "nothing" })).verdict).toBe("allowed");
      if (i === 300)
        full.saveSnapshot = () => {
          tried++;
          return Promise.reject(new Error("the disk is full"));
        };
    }
    await one.close();
    expect(tried).toBeGreaterThan(0);
  });

  test("never looked at by verifying", async () => {
    const trace = await log.ledger.read("main", 1, 1_000);
    expect(await verify(trace)).toMatchObject({ ok: true, entries: trace.length });
  });
});

function otherThan(leaf: unknown): unknown {
  if (typeof leaf === "number") return leaf + 1;
  if (typeof leaf === "string") return /^\d+$/.test(leaf) ? String(Number(leaf) + 1) : `${leaf}x`;
  return leaf === null ? true : null;
}
