/**
 * The forms of entries: the newest holds codes and arguments, and says the same in words as the first one did; of both,
 * everything that was decided must come out again.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { decodeCommand } from "../../src/kernel/core/command.ts";
import { inForm, newestForm } from "../../src/kernel/core/form.ts";
import { decide } from "../../src/kernel/core/step.ts";
import {
  decodePolicy,
  Kernel,
  kernelReasons,
  type Log,
  MemoryLog,
  newKeys,
  type StoredEntry,
  verify,
  wordsOfCheck,
} from "../../src/kernel/index.ts";
import { seal } from "../../src/kernel/trace/entry.ts";
import { decodeInitial, openKernel } from "../../src/kernel/trace/open.ts";
import { golden } from "../support/golden/read.ts";
import { gates, rules } from "../support/golden/rules.ts";
import { malformed, steps } from "../support/golden/steps.ts";

const text = ({ bytes }: StoredEntry) => new TextDecoder().decode(bytes);
const stored = (seq: number, words: string): StoredEntry => {
  const bytes = new TextEncoder().encode(words);
  return { seq, bytes, hash: createHash("sha256").update(bytes).digest("hex") };
};

/** The entries of a kernel as version 0.1.0 wrote them. */
function firstForm(kernel: string): StoredEntry[] {
  return readFileSync(join(ROOT, "tests/kernel/golden/0.1.0/postgres.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ table, row }) => table === "entry" && JSON.parse(row.bytes.text).kernel === kernel)
    .map(({ row }) => stored(Number(row.seq), row.bytes.text));
}

/** Puts a text in the place of an entry and makes every later hash fit, as someone who can write all of it would. */
function rewritten(
  trace: readonly StoredEntry[],
  seq: number,
  change: (words: string) => string,
): StoredEntry[] {
  const result: StoredEntry[] = [];
  for (const entry of trace) {
    const words = entry.seq === seq ? change(text(entry)) : text(entry);
    if (entry.seq === seq && words === text(entry)) throw new Error("nothing was changed");
    result.push(stored(entry.seq, words.replace(/"prev":"[^"]*"/, `"prev":"${result.at(-1)?.hash ?? ""}"`)));
  }
  // What is asked is what becomes of this entry: later ones may name receipts by its hash.
  return result.slice(0, seq);
}

const seqOf = (trace: readonly StoredEntry[], words: string): number =>
  trace.find((one) => text(one).includes(words))?.seq ?? 0;

describe("an entry of the first form", () => {
  const trace = firstForm("steps");
  const refused = seqOf(trace, "it costs `100` of `usd`");

  test.each<[string, (words: string) => string]>([
    ["another code", (words) => words.replace('"code":"budget"', '"code":"limit"')],
    ["another check", (words) => words.replace('"check":"budget usd"', '"check":"budget eur"')],
    ["another result", (words) => words.replace('"result":"violated"', '"result":"not judged"')],
    ["only watched", (words) => words.replace(/("message":"[^"]*")/, '$1,"monitoring":true')],
    ["no words", (words) => words.replace(/"message":"[^"]*",/, "")],
    ["words that are a number", (words) => words.replace(/"message":"[^"]*"/, '"message":5')],
    ["another verdict", (words) => words.replace('"verdict":"refused"', '"verdict":"allowed"')],
    ["a check that passes", (words) => words.replace(/\{"check":"budget usd"[^}]*\}/, '"budget usd"')],
    ["a check more", (words) => words.replace('"checks":[', '"checks":["stopped",')],
    ["another budget", (words) => words.replace('"gross":"1.75"', '"gross":"1.74"')],
    ["the newest form", (words) => words.replace('"v":1', '"v":2')],
    ["tables of Unicode", (words) => words.replace('"v":1', '"unicode":"15.0","v":1')],
  ])("with %s is found, also if all hashes fit", async (_, change) => {
    const result = await verify(rewritten(trace, refused, change));
    expect(result.problem).toEqual({
      seq: refused,
      what: "replaying the entry gives another decision",
    });
  });

  test("other words of it change its hash, so that the chain and a checkpoint show them", async () => {
    const change = (words: string) => words.replace("it costs `100` of `usd`", "it is far too dear");
    const one = trace.map((entry) =>
      entry.seq === refused ? { ...entry, bytes: stored(refused, change(text(entry))).bytes } : entry,
    );
    expect((await verify(one)).problem).toEqual({ seq: refused, what: "the hash is not that of the entry" });
    // They decide nothing: with all hashes made anew, only what was signed can tell.
    const anew = rewritten(trace, refused, change);
    expect((await verify(anew)).ok).toBe(true);
    const { checkpoints, publicKey } = golden("0.1.0");
    const own = checkpoints.postgres.filter(({ length }) => length >= refused);
    expect((await verify(anew, { checkpoints: own, publicKey })).ok).toBe(false);
  });
});

/** The same steps again, with this version. */
async function again(write: (log: Log) => Promise<void>, kernel: string): Promise<readonly StoredEntry[]> {
  const log = new MemoryLog();
  await write(log);
  return log.read(kernel, 1, 10_000);
}

const scenes: readonly [string, (log: Log) => Promise<void>][] = [
  ["steps", (log) => steps(log, () => {}, newKeys().privateKey)],
  ["malformed", malformed],
  ["rules", rules],
  ["gates", gates],
];

const violations = (entry: StoredEntry): readonly Record<string, never>[] =>
  JSON.parse(text(entry)).checks.filter((one: unknown) => typeof one === "object");

/** Receipts have hashes in them, which are others each time. */
const masked = (words: string) => words.replace(/\b([rs]\d+)-[0-9a-f]+…?/g, "$1-…");

/** Sentences of the first form that have other words now. */
const reworded: readonly (readonly [then: RegExp, now: string])[] = [
  [/was rolled back already/, "was already rolled back"],
  [/has half of a surrogate pair/, "has a lone surrogate"],
  [/holds something twice/, "has a duplicate item"],
  [/is not a number that can be kept/, "cannot be stored as a number"],
  [/all (\d+) steps are taken/, "the limit of $1 steps is reached"],
  [/stays true for ever/, "must stay true"],
];

const inWordsOfNow = (words: string) =>
  reworded.reduce((told, [then, now]) => told.replace(then, now), words);

describe.each(scenes)("entries of %s", (kernel, write) => {
  test("hold codes and arguments, and mean the same as in the first form", async () => {
    const [then, now] = [firstForm(kernel), await again(write, kernel)];
    expect(now).toHaveLength(then.length);
    let compared = 0;
    for (const [i, entry] of now.entries()) {
      const json = JSON.parse(text(entry));
      expect(json.v).toBe(newestForm);
      const [ours, theirs] = [violations(entry), violations(then[i] ?? entry)];
      expect(ours.map(wordsOfCheck).map(masked)).toEqual(
        theirs.map(wordsOfCheck).map(inWordsOfNow).map(masked),
      );
      for (const one of ours) {
        expect(one).not.toHaveProperty("message");
        if (one.result !== "violated") continue;
        expect(Object.keys(kernelReasons)).toContain(one.reason);
        compared++;
      }
      if (json.kind === "malformed") expect(json.command).not.toHaveProperty("message");
    }
    expect(compared).toBeGreaterThan(3);
    expect((await verify(now)).ok).toBe(true);
  });
});

describe("an entry of the newest form", async () => {
  const trace = await again((log) => steps(log, () => {}, newKeys().privateKey), "steps");
  const refused = seqOf(trace, '"reason":"over budget"');

  test.each<[string, (words: string) => string]>([
    ["another reason", (words) => words.replace('"reason":"over budget"', '"reason":"over the reservation"')],
    ["an argument changed", (words) => words.replace('"cost":"100"', '"cost":"101"')],
    ["an argument more", (words) => words.replace('"args":{"budget"', '"args":{"a":1,"budget"')],
    ["no arguments", (words) => words.replace(/"args":\{"budget"[^}]*\},/, "")],
    ["a sentence", (words) => words.replace('"code":"budget"', '"code":"budget","message":"it is too dear"')],
  ])("with %s is found, also if all hashes fit", async (_, change) => {
    const result = await verify(rewritten(trace, refused, change));
    expect(result.problem).toEqual({
      seq: refused,
      what: "replaying the entry gives another decision",
    });
  });

  test("of a form that is not known yet is refused with one sentence", async () => {
    for (const seq of [1, refused]) {
      const result = await verify(
        rewritten(trace, seq, (words) => words.replace(`"v":${newestForm}`, `"v":${newestForm + 1}`)),
      );
      const what = `the entry was written by a newer version: its form is ${newestForm + 1}, and this one knows ${newestForm}`;
      expect(result.problem).toEqual({ seq, what });
    }
  });
});

describe("a kernel of the form before", async () => {
  const decided = { kernel: "main", unicode: "1.1" };
  const policy = decodePolicy({
    rules: [
      { name: "low", enforcement: "blocking", when: 'value(jsonNumber(value(jsonField(after, "x")))) <= 3' },
      { name: "kept", enforcement: "blocking", rule: "noDelete", keys: ["k"] },
    ],
  });
  const initial = decodeInitial({ x: 1, k: 1 });
  if (!policy.ok || !initial.ok) throw new Error("the policy and the state are fine");
  const form = { v: 2, unicode: decided.unicode } as const;
  /** The entries that a version of that form wrote: each of these was allowed then. */
  const trace = inForm(2, () => {
    const opened = openKernel(decided.kernel, policy.value, initial.value, 1, form);
    if (!opened.ok) throw new Error(opened.problem.message);
    const entries = [opened.value.entry];
    let { state } = opened.value;
    for (const effect of [
      { key: "x", op: "set", value: "9999" },
      { key: "x", op: "delete" },
      { key: "k", op: "set", value: null },
      { key: "k", op: "set", value: "text" },
    ]) {
      const command = decodeCommand("execute", { action: { id: "a", effects: [effect] } }, policy.value);
      const decision = decide(state, command, 1);
      expect(decision.verdict).toBe("allowed");
      const step = seal(state, decision, `w-${entries.length}`, undefined, form);
      entries.push(step.entry);
      ({ state } = step);
    }
    return entries.map(({ seq, hash, bytes }): StoredEntry => ({ seq, hash, bytes }));
  });

  test("verifies as it was decided, and is judged by the newest form from then on", async () => {
    expect(await verify(trace)).toMatchObject({ ok: true, entries: 5 });
    const ledger = new MemoryLog();
    await ledger.transact("main", 0, () => trace);
    const opened = await Kernel.open({ ledger, clock: () => 2 });
    if (!opened.ok) throw new Error(opened.problem.message);
    const refused = await opened.value.execute({ id: "b", effects: [] });
    expect(refused.reasons.map(({ reason }) => reason)).toEqual(["undefined step"]);
    const mended = await opened.value.execute({ id: "c", effects: [{ key: "x", op: "set", value: 2 }] });
    expect(mended.verdict).toBe("allowed");
    const null_ = await opened.value.execute({ id: "d", effects: [{ key: "k", op: "set", value: null }] });
    expect(null_.reasons.map(({ reason }) => reason)).toEqual(["never deleted"]);
    expect((await verify(await ledger.read("main", 1, 100))).ok).toBe(true);
  });

  test("is never gone back to", async () => {
    const ledger = new MemoryLog();
    await ledger.transact("main", 0, () => trace);
    const opened = await Kernel.open({ ledger, clock: () => 2 });
    if (!opened.ok) throw new Error(opened.problem.message);
    await opened.value.execute({ id: "c", effects: [{ key: "x", op: "set", value: 2 }] });
    await opened.value.execute({ id: "d", effects: [] });
    const [all, seq] = [await ledger.read("main", 1, 100), 7];
    for (const v of [1, 2, 3]) {
      const result = await verify(
        rewritten(all, seq, (words) => words.replace(`"v":${newestForm}`, `"v":${v}`)),
      );
      const what = `the entry is of form ${v} and comes after one of form ${newestForm}: forms never go back`;
      expect(result.problem).toEqual({ seq, what });
    }
  });

  test("cannot be passed off as one of the newest form", async () => {
    for (const seq of [2, 3, 4, 5]) {
      const result = await verify(rewritten(trace, seq, (words) => words.replace('"v":2', '"v":3')));
      expect(result.problem?.seq).toBe(seq);
    }
  });
});
