/** Checkpoints by several keys, and keys that change: only what trusted keys signed says which keys are trusted next. */
import { expect, test } from "vitest";
import { type Checkpoint, Kernel, newKeys, signCheckpoint, verify } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";

const [old, other, next, foreign] = [newKeys(), newKeys(), newKeys(), newKeys()];

async function opened(policy: unknown, checkpoint?: Parameters<typeof Kernel.open>[0]["checkpoint"]) {
  const ledger = new MemoryLedger();
  const result = await Kernel.open({ ledger, policy, clock: () => 5, ...(checkpoint ? { checkpoint } : {}) });
  if (!result.ok) throw new Error(result.problem.message);
  return { kernel: result.value, ledger };
}

test("a quorum of keys must have signed, each kept where it was told to", async () => {
  const kept: Checkpoint[][] = [[], []];
  const { kernel, ledger } = await opened({}, [
    { privateKey: old.privateKey, every: 3, keep: (one) => kept[0]?.push(one) },
    { privateKey: other.privateKey, every: 3, keep: (one) => kept[1]?.push(one) },
  ]);
  for (let i = 0; i < 7; i++) await kernel.execute({ id: "a" });
  await kernel.close();
  const trace = await ledger.read("main", 1, 99);
  expect(kept.map((all) => all.map(({ length }) => length))).toEqual([
    [3, 6, 8],
    [3, 6, 8],
  ]);
  const publicKeys = [old.publicKey, other.publicKey];
  const checkpoints = kept.flat();
  expect(await verify(trace, { checkpoints, publicKeys, quorum: 2 })).toMatchObject({ ok: true });
  const one = await verify(trace, { checkpoints: kept[0] ?? [], publicKeys, quorum: 2 });
  expect(one.problem).toEqual({ seq: 3, what: "1 of 2 keys have signed the checkpoint" });
  // The same key twice is one key.
  const twice = await verify(trace, {
    checkpoints: [...(kept[0] ?? []), ...(kept[0] ?? [])],
    publicKeys,
    quorum: 2,
  });
  expect(twice.ok).toBe(false);
  const wrong = await verify(trace, { checkpoints, publicKeys: [old.publicKey, foreign.publicKey] });
  expect(wrong.problem?.what).toBe("the checkpoint has no valid signature");
  // A trace that was cut off.
  const cut = await verify(trace.slice(0, 7), { checkpoints, publicKeys, quorum: 2 });
  expect(cut.problem?.what).toBe("a checkpoint has 8 entries, and the trace has 7");
});

test("a key that the policy names is trusted once a trusted key has signed that policy", async () => {
  const { kernel, ledger } = await opened({});
  await kernel.execute({ id: "a" });
  const sign = (keys: { privateKey: string }): Checkpoint => {
    const { seq: length, head } = kernel.status();
    return signCheckpoint({ kernel: "main", length, head, time: 5 }, keys.privateKey);
  };
  const first = sign(old);
  expect((await kernel.amend({ checkpoints: { keys: [next.publicKey] } })).verdict).toBe("allowed");
  const blessed = sign(old);
  await kernel.execute({ id: "a" });
  const later = sign(next);
  const stale = sign(old);
  const trace = await ledger.read("main", 1, 99);
  const against = (checkpoints: Checkpoint[]) => verify(trace, { checkpoints, publicKey: old.publicKey });
  expect(await against([first, blessed, later])).toMatchObject({ ok: true });
  // Without the old key's word on the entry that names it, the new key is nobody's.
  expect((await against([first, later])).ok).toBe(false);
  // The old one is trusted no longer.
  expect((await against([first, blessed, stale])).ok).toBe(false);
  for (const bad of [
    { keys: [] },
    { keys: [next.publicKey, next.publicKey] },
    { keys: [next.publicKey], quorum: 2 },
    { keys: [next.privateKey] },
    { keys: ["no key"] },
  ])
    expect((await kernel.amend({ checkpoints: bad })).verdict).toBe("refused");
});
