/** Verification finds any change of a trace, and its place. */

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  type Checkpoint,
  checkpointText,
  decodePolicy,
  newKeys,
  readCheckpoint,
  type StoredEntry,
  signCheckpoint,
  verify,
} from "../../src/kernel/index.ts";
import { act, opened, rule, set, usd } from "./support.ts";

const { publicKey, privateKey } = newKeys();

const policy = {
  budgets: usd(10),
  rules: [rule("range", { key: "n", min: 0, max: 5 })],
  emergencies: [{ id: "halt" }],
};
const read = decodePolicy(policy);
if (!read.ok) throw new Error(read.problem.message);
/** Saves reading the policy some thousand times; one in the trace that differs is read all the same. */
const quick = { functions: [], known: read.value };

async function recorded() {
  const checkpoints: Checkpoint[] = [];
  const { kernel, ledger } = await opened(
    policy,
    { n: 0 },
    { checkpoint: { privateKey, every: 3, keep: (one) => checkpoints.push(one) } },
  );
  const { receipt = "" } = await kernel.execute({ ...act(set("n", 1)), cost: "1.25" });
  await kernel.execute({ ...act(set("n", 9)), cost: "1" });
  await kernel.execute(Number.NaN);
  await kernel.rollback(receipt);
  const held = await kernel.reserve({ ...act({ key: "n", op: "increment", value: 1 }), cost: "3" }, "once");
  await kernel.settle(held.receipt ?? "", { cost: "2", outcome: { sent: true } });
  await kernel.execute({ id: "halt" });
  await kernel.close();
  const trace = await ledger.read("main", 1, 100);
  return { trace, checkpoints };
}

const { trace, checkpoints } = await recorded();
const text = (stored: StoredEntry) => new TextDecoder().decode(stored.bytes);
const stored = (seq: number, words: string): StoredEntry => {
  const bytes = new TextEncoder().encode(words);
  return { seq, bytes, hash: createHash("sha256").update(bytes).digest("hex") };
};

/** Makes the chain fit again after a change, as someone who can write the whole ledger would. */
function rehashed(entries: readonly StoredEntry[]): StoredEntry[] {
  const result: StoredEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    const words = text(entry)
      .replace(/"prev":"[^"]*"/, `"prev":"${result.at(-1)?.hash ?? ""}"`)
      .replace(/"seq":\d+/, `"seq":${i + 1}`);
    result.push(stored(i + 1, words));
  }
  return result;
}

describe("a trace as it was written", () => {
  test("is fine, with its checkpoints", async () => {
    expect(checkpoints.map(({ length }) => length)).toEqual([3, 6, 8]);
    const result = await verify(trace, { checkpoints, publicKey });
    expect(result).toEqual({ ok: true, entries: 8, head: trace.at(-1)?.hash, notReplayed: [] });
  });

  test("is fine up to anywhere, without them", async () => {
    for (let length = 1; length <= trace.length; length++) {
      expect((await verify(trace.slice(0, length))).ok).toBe(true);
    }
  });

  test("a checkpoint can be written and read", () => {
    for (const one of checkpoints)
      expect(readCheckpoint(checkpointText(one))).toEqual({ ok: true, value: one });
  });
});

describe("a trace that was tampered with", () => {
  test("any byte flipped", { timeout: 60_000 }, async () => {
    let tried = 0;
    for (const [i, entry] of trace.entries()) {
      for (let at = 0; at < entry.bytes.length; at += 1) {
        const bytes = Uint8Array.from(entry.bytes);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
        const result = await verify(trace.with(i, { ...entry, bytes }), quick);
        if (result.ok || result.problem?.seq !== i + 1)
          throw new Error(`byte ${at} of entry ${i + 1} went unnoticed`);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(3_000);
  });

  test("any byte flipped, and all hashes made anew: found by doing it again, or by the checkpoint", {
    timeout: 60_000,
  }, async () => {
    for (const [i, entry] of trace.entries()) {
      for (let at = i % 3; at < entry.bytes.length; at += 3) {
        const bytes = Uint8Array.from(entry.bytes);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        const changed = rehashed(trace.with(i, { ...entry, bytes }));
        if (text(changed[i] ?? entry) === text(entry)) continue; // it was a byte of the hash, and is right again
        const result = await verify(changed, { ...quick, checkpoints, publicKey });
        if (result.ok) throw new Error(`byte ${at} of entry ${i + 1} went unnoticed`);
      }
    }
  });

  test.each(trace.map(({ seq }) => seq))("entry %i left out", async (seq) => {
    const rest = trace.filter((entry) => entry.seq !== seq);
    expect((await verify(rest, { checkpoints, publicKey })).ok).toBe(false);
    const again = await verify(rehashed(rest), { checkpoints, publicKey });
    expect(again.ok).toBe(false);
    if (seq < trace.length) expect((await verify(rest)).problem?.seq).toBe(seq);
  });

  test.each(trace.slice(1).map(({ seq }) => seq))("entry %i before the one before it", async (seq) => {
    const [a, b] = [trace[seq - 2]!, trace[seq - 1]!];
    const swapped = trace.with(seq - 2, b).with(seq - 1, a);
    expect((await verify(swapped)).problem?.seq).toBe(seq - 1);
    expect((await verify(rehashed(swapped), { checkpoints, publicKey })).ok).toBe(false);
  });

  test.each(trace.map(({ seq }) => seq))("an entry put in after %i", async (seq) => {
    const extra = trace.toSpliced(seq, 0, trace[2]!);
    expect((await verify(extra)).ok).toBe(false);
    expect((await verify(rehashed(extra), { checkpoints, publicKey })).ok).toBe(false);
  });

  test.each([1, 3, 7])("all after entry %i cut off", async (length) => {
    const { ok, problem } = await verify(trace.slice(0, length), { checkpoints, publicKey });
    expect(ok).toBe(false);
    expect(problem?.what).toContain("checkpoint");
    expect(problem?.seq).toBe(length + 1);
  });

  test("all of it written anew by the kernel itself: found by the checkpoints alone", async () => {
    const { trace: other } = await recordedOtherwise();
    expect((await verify(other)).ok).toBe(true);
    expect((await verify(other, { checkpoints, publicKey })).problem?.what).toContain("checkpoint");
  });

  test("a checkpoint that someone else signed, changed or made up", async () => {
    const [first] = checkpoints;
    const forged = [
      { ...first!, head: trace[4]!.hash },
      { ...first!, length: 5 },
      { ...first!, signature: "" },
      { ...first!, signature: "AAAA" },
      signCheckpoint(first!, newKeys().privateKey),
    ];
    for (const one of forged) {
      const { ok, problem } = await verify(trace, { checkpoints: [one], publicKey });
      expect(ok).toBe(false);
      expect(problem?.what).toBe("the checkpoint has no valid signature");
    }
    expect((await verify(trace, { checkpoints })).ok).toBe(false);
  });

  test("an allowed entry made of a refused one, with everything that follows made to fit", async () => {
    const entry = trace[2]!;
    expect(text(entry)).toContain('"verdict":"refused"');
    const words = text(entry).replace('"verdict":"refused"', '"verdict":"allowed"');
    const { problem } = await verify(rehashed(trace.with(2, stored(3, words))));
    expect(problem).toEqual({ seq: 3, what: "replaying the entry gives another decision" });
  });

  test("nothing at all", async () => {
    expect((await verify([])).ok).toBe(false);
  });
});

async function recordedOtherwise() {
  const { kernel, ledger } = await opened({ budgets: usd(10) }, { n: 0 });
  for (let i = 0; i < 7; i++) await kernel.execute({ ...act(set("n", i)), cost: "1" });
  return { trace: await ledger.read("main", 1, 100) };
}

describe("numbers that no JavaScript number stands for", () => {
  test("are verified all the same, and a digit more or less is found", async () => {
    const { kernel, ledger } = await opened({ budgets: usd(10) }, { n: 0 });
    const long = [2n ** 60n + 1n, 10n ** 30n, -(2n ** 53n)];
    for (const value of long) await kernel.execute({ ...act(set("n", value)), args: [value, 1e-7, 0.1] });
    const entries = await ledger.read("main", 1, 9);
    expect(await verify(entries)).toMatchObject({ ok: true, entries: 4 });
    // What another reader would take for the same number.
    const near = text(entries[1]!).replaceAll("1152921504606846977", "1152921504606846976");
    const { problem } = await verify(rehashed(entries.with(1, stored(2, near))));
    expect(problem?.seq).toBe(2);
  });

  test("names given twice are found", async () => {
    const { ledger, kernel } = await opened({ budgets: usd(10) }, { n: 0 });
    await kernel.execute(act(set("n", 1)));
    const entries = await ledger.read("main", 1, 9);
    const twice = text(entries[1]!).replace('"id":"act"', '"id":"other","id":"act"');
    expect((await verify(entries.with(1, stored(2, twice)))).problem?.seq).toBe(2);
  });
});
