/** A kernel that follows what others wrote takes exactly what it would have written itself, whatever the texts in it. */

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Kernel, LedgerBroken, type StoredEntry } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";
import { act, rule, set } from "./support.ts";

/** Names and texts that look like the parts of an entry that a quick look goes by. */
const traps = [
  "command",
  "cost",
  "checks",
  "kind",
  "time",
  "writer",
  ',"command":{',
  ',"cost":{"usd":"1"},"digest":"',
  ',"kind":"execute","time":0,',
  ',"writer":"me"}',
  "a\\",
  'a "quoted" name',
];

const functions = [{ name: "f", enforcement: "monitoring" as const, check: () => "no", version: "1" }];

async function kernelOn(ledger: MemoryLedger, trap: string, name: string): Promise<Kernel> {
  const policy = {
    budgets: { [trap]: "100", usd: "100" },
    rules: [rule("range", { key: trap, min: 0, max: 5 })],
    emergencies: [{ id: "halt" }],
  };
  const kernel = await Kernel.open({ ledger, name, policy, functions, state: { [trap]: 0 }, clock: () => 7 });
  if (!kernel.ok) throw new Error(kernel.problem.message);
  return kernel.value;
}

/** Every kind of entry, with the text wherever a caller can put it. */
async function written(trap: string, name: string) {
  const ledger = new MemoryLedger();
  const [writer, follower] = [await kernelOn(ledger, trap, name), await kernelOn(ledger, trap, name)];
  const nested = {
    [trap]: [trap, { cost: { [trap]: trap } }],
    cost: { a: 1 },
    writer: "x",
    kind: "y",
    time: 3,
  };
  const action = { id: trap, tool: trap, args: nested, undo: nested, cost: { [trap]: "1.5", usd: 1 } };
  const { receipt = "" } = await writer.execute({ ...action, effects: [set("other", nested)] });
  await writer.execute({ ...action, effects: [set(trap, 9)] });
  await writer.execute({ ...action, effects: [set("long", 12345678901234567890n)] });
  await writer.execute({ [trap]: trap });
  await writer.rollback(receipt);
  const held = await writer.reserve({ ...action, effects: [set(trap, 1)] }, trap);
  await writer.settle(held.receipt ?? "", { outcome: nested });
  await writer.release("r1-x", trap);
  await writer.execute({ id: "halt" });
  await writer.stop(trap);
  return { ledger, writer, follower };
}

describe.each(traps)("with %j everywhere", (trap) => {
  test("a follower comes to the same state", async () => {
    const { writer, follower } = await written(trap, "main");
    await follower.refresh();
    expect(follower.status()).toEqual(writer.status());
    expect(follower.status().seq).toBe(11);
  });
});

test("a kernel's name may look like a part of an entry", async () => {
  const { writer, follower } = await written("n", 'a","kind":"execute","time":1,');
  await follower.refresh();
  expect(follower.status()).toEqual(writer.status());
});

/** As someone who can write the ledger would: another text with a hash that fits. */
class Forged extends MemoryLedger {
  change: ((text: string) => string) | undefined;

  override async transact(kernel: string, since: number, decide: Parameters<MemoryLedger["transact"]>[2]) {
    await super.transact(kernel, since, (after) => decide(after.map((one) => this.#forged(one))));
  }

  #forged(entry: StoredEntry): StoredEntry {
    const text = new TextDecoder().decode(entry.bytes);
    const bytes = new TextEncoder().encode(this.change?.(text) ?? text);
    return { seq: entry.seq, bytes, hash: createHash("sha256").update(bytes).digest("hex") };
  }
}

describe("a follower notices", () => {
  const ways: readonly (readonly [string, (text: string) => string, string])[] = [
    ["what was spent", (text) => text.replace('"gross":"1.5"', '"gross":"0.5"'), "gives another decision"],
    ["a check left out", (text) => text.replace('"held",', ""), "gives another decision"],
    ["a command of its own", (text) => text.replace('"value":1}', '"value":2}'), "gives another decision"],
    [
      "another cost",
      (text) => text.replace('"cost":{"usd":"1.5"},"digest"', '"cost":{"usd":"0"},"digest"'),
      "gives another decision",
    ],
    ["another digest", (text) => text.replace(/"digest":"\w/, '"digest":"z'), "gives another decision"],
    [
      "another kernel",
      (text) => text.replace('"kernel":"main"', '"kernel":"mine"'),
      "gives another decision",
    ],
    [
      "another kind",
      (text) => text.replace('"kind":"execute"', '"kind":"emergency"'),
      "gives another decision",
    ],
    ["an unknown kind", (text) => text.replace('"kind":"execute"', '"kind":"other"'), "unknown kind"],
    ["another policy", (text) => text.replace(/"policy":"\w/, '"policy":"z'), "gives another decision"],
    ["another predecessor", (text) => text.replace(/"prev":"\w/, '"prev":"z'), "does not follow"],
    [
      "another state",
      (text) => text.replace(/"root":{"after":"\w/, '"root":{"after":"z'),
      "gives another decision",
    ],
    ["another number", (text) => text.replace('"seq":2', '"seq":3'), "it says that it is entry 3"],
    ["a time before the last", (text) => text.replace('"time":7', '"time":6'), "gives another decision"],
    ["a time that is none", (text) => text.replace('"time":7', '"time":-7'), "no number or time"],
    ["a time in other words", (text) => text.replace('"time":7', '"time":7.0'), "gives another decision"],
    ["another verdict", (text) => text.replace('"allowed"', '"refused"'), "gives another decision"],
    [
      "another version",
      (text) => text.replace('"version":{"after":1', '"version":{"after":2'),
      "gives another decision",
    ],
    ["no writer", (text) => text.replace(/,"writer":"[^"]*"/, ""), "no writer"],
    [
      "a writer in other words",
      (text) => text.replace('"writer":"', '"writer":"\\u0061'),
      "gives another decision",
    ],
    ["a long writer", (text) => text.replace('"writer":"', `"writer":"${"a".repeat(600)}`), "code units"],
    ["a name given twice", (text) => text.replace('{"budgets"', '{"time":7,"budgets"'), "not JSON"],
    ["a space", (text) => text.replace(":", ": "), "gives another decision"],
    ["something after it", (text) => `${text} `, "gives another decision"],
    ["something that is no entry", () => "[]", "not an object"],
  ];

  test.each(ways)("%s", async (_, change, message) => {
    const ledger = new Forged();
    const open = async () => {
      const policy = { budgets: { usd: "10" } };
      const kernel = await Kernel.open({ ledger, policy, state: { n: 0 }, clock: () => 7 });
      if (!kernel.ok) throw new Error(kernel.problem.message);
      return kernel.value;
    };
    const [writer, follower] = [await open(), await open()];
    await writer.execute({ ...act(set("n", 1)), cost: "1.5" });
    ledger.change = change;
    const before = follower.status();
    const error = await follower.refresh().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LedgerBroken);
    expect(String(error)).toContain(message);
    expect(follower.status()).toEqual(before);
    await expect(follower.execute(act(set("n", 2)))).rejects.toThrow(LedgerBroken);
    ledger.change = undefined;
    await follower.refresh();
    expect(follower.status()).toEqual(writer.status());
  });
});
