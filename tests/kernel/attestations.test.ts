/** Gates that ask for k of n attestations: forged, replayed, transplanted, expired, too few: none passes. */
import { describe, expect, test } from "vitest";
import {
  type Attestation,
  attestationOfText,
  attestationText,
  Kernel,
  MemoryLog,
  newKeys,
  type Outcome,
  type Statement,
  signAttestation,
  verify,
} from "../../src/kernel/index.ts";

const signers = [newKeys(), newKeys(), newKeys()] as const;
const stranger = newKeys();
const [ann, bea, cy] = signers;
const at = 1_000_000_000_000;
const hour = 3_600_000;
const pay = { id: "pay", tool: "bank.pay", cost: "5", effects: [{ key: "paid", op: "increment", value: 5 }] };

interface Setting {
  readonly rule?: object;
  readonly ledger?: MemoryLog;
  readonly name?: string;
  readonly clock?: () => number;
}

async function opened({
  rule = {},
  ledger = new MemoryLog(),
  name = "main",
  clock = () => at,
}: Setting = {}) {
  const keys = signers.map(({ publicKey }) => publicKey);
  const gate = {
    name: "two sign",
    enforcement: "blocking",
    rule: "attested",
    keys,
    quorum: 2,
    tools: ["bank.pay"],
  };
  const policy = { budgets: { usd: "100" }, rules: [{ ...gate, ...rule }] };
  const kernel = await Kernel.open({ ledger, name, clock, policy, state: { paid: 0 } });
  if (!kernel.ok) throw new Error(kernel.problem.message);
  return kernel.value;
}

let nonces = 0;

function statement(kernel: Kernel, action: unknown = pay, more: Partial<Statement> = {}): Statement {
  const asked = kernel.attestationsFor(action);
  if (asked === undefined) throw new Error("no gate asks for one");
  const nonce = String(++nonces).padStart(32, "0");
  const about = {
    action: asked.action,
    kernel: asked.kernel,
    version: null,
    notBefore: at,
    expires: at + hour,
  };
  return { ...about, nonce, by: "a test", ...more };
}

const signed = (kernel: Kernel, key = ann, more: Partial<Statement> = {}, action: unknown = pay) =>
  signAttestation(statement(kernel, action, more), key.privateKey);

const plain = (one: Attestation) => ({ v: 1, ...one });
const passed = (outcome: Outcome) => outcome.verdict === "allowed";
const given = (kernel: Kernel, list: readonly object[], action: object = pay) => kernel.execute(action, list);

describe("an action passes", () => {
  test("with two of three attestations, once", async () => {
    const kernel = await opened();
    const two = [plain(signed(kernel, ann)), plain(signed(kernel, cy))];
    expect(passed(await given(kernel, two))).toBe(true);
    expect(passed(await given(kernel, two))).toBe(false);
    expect(kernel.cell("paid")).toBe("5");
    expect((await verify(await kernel.entries(1, 100))).ok).toBe(true);
  });

  test("as a reservation, also if it is asked again under its key", async () => {
    const kernel = await opened();
    const two = [plain(signed(kernel, ann)), plain(signed(kernel, bea))];
    const first = await kernel.reserve(pay, "k", undefined, two);
    expect(passed(first)).toBe(true);
    await kernel.settle(first.receipt ?? "");
    expect(passed(await kernel.reserve(pay, "k"))).toBe(true);
    expect(kernel.cell("paid")).toBe("5");
  });

  test("whatever version it was made for, unless the statement names one", async () => {
    const kernel = await opened();
    const two = [plain(signed(kernel, ann)), plain(signed(kernel, bea))];
    expect(passed(await given(kernel, two, { ...pay, reads: 0, origin: { run: "r" } }))).toBe(true);
    const versioned = [
      plain(signed(kernel, ann, { version: 1 })),
      plain(signed(kernel, bea, { version: 1 })),
    ];
    expect(passed(await given(kernel, versioned))).toBe(true);
  });

  test("without any, where no gate is about it", async () => {
    const kernel = await opened();
    expect(passed(await kernel.execute({ id: "look", cost: "1" }))).toBe(true);
    expect(kernel.attestationsFor({ id: "look" })?.gates).toEqual([]);
  });

  test("as an emergency action (T8)", async () => {
    const keys = [ann.publicKey];
    const rules = [{ name: "all", enforcement: "blocking", rule: "attested", keys, quorum: 1 }];
    const policy = {
      rules,
      emergencies: [{ id: "halt", effects: [{ key: "halted", op: "set", value: true }] }],
    };
    const kernel = await Kernel.open({ ledger: new MemoryLog(), clock: () => at, policy });
    if (!kernel.ok) throw new Error(kernel.problem.message);
    expect(passed(await kernel.value.execute({ id: "anything" }))).toBe(false);
    expect(passed(await kernel.value.execute({ id: "halt" }))).toBe(true);
  });
});

describe("0 accepted:", () => {
  type Attack = (kernel: Kernel) => Promise<readonly object[]> | readonly object[];
  const good = (kernel: Kernel) => plain(signed(kernel, ann));
  const changed =
    (field: keyof Attestation, value: unknown): Attack =>
    (kernel) => [good(kernel), { ...plain(signed(kernel, bea)), [field]: value }];
  const second =
    (more: Partial<Statement>): Attack =>
    (kernel) => [good(kernel), plain(signed(kernel, bea, more))];

  const attacks: Readonly<Record<string, Attack>> = {
    "none at all": () => [],
    "one of two": (kernel) => [good(kernel)],
    "one twice": (kernel) => {
      const one = good(kernel);
      return [one, one];
    },
    "two of one signer": (kernel) => [good(kernel), good(kernel)],
    "a stranger's": (kernel) => [good(kernel), plain(signed(kernel, stranger))],
    "a stranger's under a known key": (kernel) => [
      good(kernel),
      { ...plain(signed(kernel, stranger)), key: signed(kernel, bea).key },
    ],
    "another signer's under a known key": (kernel) => [
      good(kernel),
      { ...plain(signed(kernel, ann)), key: signed(kernel, bea).key },
    ],
    "a changed action": changed("action", `act1-${"0".repeat(64)}`),
    "a changed kernel": changed("kernel", "0".repeat(64)),
    "a changed version": changed("version", 0),
    "a changed beginning": changed("notBefore", at - 1),
    "a changed end": changed("expires", at + 2 * hour),
    "a changed nonce": changed("nonce", "f".repeat(32)),
    "a changed name": changed("by", "someone else"),
    "a signature of zeros": changed("signature", `${"A".repeat(86)}==`),
    "a signature with other characters for its bytes": (kernel) => {
      const one = signed(kernel, bea);
      return [
        good(kernel),
        { ...plain(one), signature: one.signature.replaceAll("+", "-").replace("==", "=") },
      ];
    },
    "no signature": changed("signature", ""),
    "an unknown field": (kernel) => [good(kernel), { ...plain(signed(kernel, bea)), quorum: 2 }],
    "another version of the form": (kernel) => [good(kernel), { ...plain(signed(kernel, bea)), v: 2 }],
    "of another action": (kernel) => [
      good(kernel),
      plain(signed(kernel, bea, {}, { ...pay, effects: [{ key: "paid", op: "increment", value: 50 }] })),
    ],
    "of the same action at another cost": (kernel) => [
      good(kernel),
      plain(signed(kernel, bea, {}, { ...pay, cost: "4" })),
    ],
    "of another action's id": (kernel) => [
      good(kernel),
      plain(signed(kernel, bea, {}, { ...pay, id: "pay2" })),
    ],
    "of the same action with an undo": (kernel) => [
      good(kernel),
      plain(signed(kernel, bea, {}, { ...pay, undo: 1 })),
    ],
    "of another ledger with the same policy and name": async (kernel) => {
      const other = await opened({ clock: () => at + 1 });
      return [good(kernel), plain(signed(other, bea))];
    },
    "of another kernel of the same ledger": async (kernel) => {
      const other = await opened({ name: "other" });
      return [good(kernel), plain(signed(other, bea))];
    },
    "of an earlier version": async (kernel) => {
      const one = plain(signed(kernel, bea, { version: kernel.version }));
      await kernel.execute({ id: "look", effects: [{ key: "n", op: "set", value: 1 }] });
      return [good(kernel), one];
    },
    "of a later version": (kernel) => second({ version: kernel.version + 1 })(kernel),
    "that ends at this moment": second({ notBefore: at - hour, expires: at }),
    "long expired": second({ notBefore: at - 2 * hour, expires: at - hour }),
    "that begins in the next moment": second({ notBefore: at + 1 }),
    "that is valid for longer than the gate takes": second({ expires: at + 25 * hour }),
    "used for another action that was the same": async (kernel) => {
      const one = plain(signed(kernel, bea));
      await given(kernel, [good(kernel), one]);
      return [good(kernel), one];
    },
    "used for a step that was rolled back": async (kernel) => {
      const one = plain(signed(kernel, bea));
      const { receipt = "" } = await given(kernel, [good(kernel), one]);
      expect(passed(await kernel.rollback(receipt))).toBe(true);
      return [good(kernel), one];
    },
    "used for a reservation that was released": async (kernel) => {
      const one = plain(signed(kernel, bea));
      const { receipt = "" } = await kernel.reserve(pay, "k", undefined, [good(kernel), one]);
      await kernel.release(receipt, "not now");
      return [good(kernel), one];
    },
    "a receipt's signature": (kernel) => [good(kernel), { ...plain(signed(kernel, bea)), action: undefined }],
    "no objects": () => [1 as unknown as object, "x" as unknown as object],
    "more than a command may have": (kernel) => Array.from({ length: 65 }, () => plain(signed(kernel, bea))),
  };

  test.each(Object.entries(attacks))("%s", async (_, attack) => {
    const kernel = await opened();
    const list = await attack(kernel);
    const before = kernel.cell("paid");
    for (const outcome of [
      await given(kernel, list),
      await kernel.reserve(pay, "attacked", undefined, list),
      { ...kernel.evaluate(pay, list), seq: 0, hash: "" },
    ])
      expect(passed(outcome)).toBe(false);
    expect(kernel.cell("paid")).toBe(before);
    expect((await verify(await kernel.entries(1, 100))).ok).toBe(true);
    // The neighbor: with another good one it passes.
    expect(passed(await given(kernel, [good(kernel), plain(signed(kernel, cy))]))).toBe(true);
  });

  test("a signature with any bit flipped", async () => {
    const kernel = await opened();
    const one = signed(kernel, bea);
    const bytes = Buffer.from(one.signature, "base64");
    for (let bit = 0; bit < 512; bit += 7) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const forged = { ...plain(one), signature: flipped.toString("base64") };
      expect(kernel.evaluate(pay, [good(kernel), forged]).verdict).toBe("refused");
    }
  });

  test("the same in two processes that race", async () => {
    const ledger = new MemoryLog();
    const [a, b] = [await opened({ ledger }), await opened({ ledger })];
    const two = [good(a), plain(signed(a, bea))];
    const outcomes = await Promise.all([given(a, two), given(b, two)]);
    expect(outcomes.filter(passed)).toHaveLength(1);
    await a.refresh();
    expect(a.cell("paid")).toBe("5");
  });

  test("one that was used, after a restart from a snapshot", async () => {
    const ledger = new MemoryLog();
    const kernel = await opened({ ledger });
    const two = [good(kernel), plain(signed(kernel, bea))];
    await given(kernel, two);
    for (let i = 0; i < 600; i++) await kernel.execute({ id: "look" });
    await kernel.close();
    const again = await opened({ ledger });
    expect(passed(await given(again, two))).toBe(false);
    expect(passed(await given(again, [good(again), plain(signed(again, cy))]))).toBe(true);
    expect((await verify(await again.entries(1, 2_000))).ok).toBe(true);
  });
});

describe("the gate", () => {
  const refusedPolicy = async (rule: object) =>
    (await opened({ rule }).catch((error: Error) => error)) instanceof Error;

  test.each([
    ["no keys", { keys: [] }],
    ["no key", { keys: ["x"] }],
    ["a private key", { keys: [ann.privateKey], quorum: 1 }],
    ["a key twice", { keys: [ann.publicKey, ann.publicKey] }],
    ["a key twice, written otherwise", { keys: [ann.publicKey, ann.publicKey.trimEnd()] }],
    ["a quorum of none", { quorum: 0 }],
    ["a quorum above the keys", { quorum: 4 }],
    ["no quorum", { quorum: undefined }],
    ["a lifetime of nothing", { maxAgeMs: 0 }],
    ["an empty list of tools", { tools: [] }],
    ["an unknown field", { tool: "bank.pay" }],
  ])("is not made with %s", async (_, rule) => {
    expect(await refusedPolicy(rule)).toBe(true);
  });

  test.each([
    ["an id", { tools: undefined, ids: ["pay"] }, true],
    ["a key that is written", { tools: undefined, writes: ["paid"] }, true],
    ["all actions", { tools: undefined }, true],
    ["another tool", { tools: ["bank.ask"] }, false],
    ["another id", { tools: undefined, ids: ["ask"] }, false],
    ["another key", { tools: undefined, writes: ["asked"] }, false],
  ])("is about %s", async (_, rule, isGated) => {
    const clean = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
    const keys = signers.map(({ publicKey }) => publicKey);
    const gate = { name: "sign", enforcement: "blocking", rule: "attested", keys, quorum: 2, ...clean };
    const policy = { budgets: { usd: "100" }, rules: [gate] };
    const kernel = await Kernel.open({
      ledger: new MemoryLog(),
      clock: () => at,
      policy,
      state: { paid: 0 },
    });
    if (!kernel.ok) throw new Error(kernel.problem.message);
    expect(passed(await kernel.value.execute(pay))).toBe(!isGated);
  });

  test("tells how many are missing and why others do not count", async () => {
    const kernel = await opened();
    const list = [
      plain(signed(kernel, ann)),
      plain(signed(kernel, stranger)),
      plain(signed(kernel, bea, { expires: at + 1, notBefore: at })),
    ];
    const late = await opened({ clock: () => at + 1 });
    expect((await given(kernel, list.slice(0, 2))).reasons.map(({ message }) => message)).toEqual([
      "invariant two sign: it has 1 of 2 attestations (rejected: `unknown key`)",
    ]);
    expect((await given(late, list)).reasons[0]?.message).toBe(
      "invariant two sign: it has 0 of 2 attestations (rejected: `another kernel`, `unknown key`, `another kernel`)",
    );
  });

  test("that only monitors tells, and stops nothing", async () => {
    const kernel = await opened({ rule: { enforcement: "monitoring" } });
    const outcome = await kernel.execute(pay);
    expect(passed(outcome)).toBe(true);
    expect(
      outcome.checks.some(({ reason, monitoring }) => reason === "too few attestations" && monitoring),
    ).toBe(true);
  });

  test("can be added to a living kernel, which then asks for them", async () => {
    const kernel = await Kernel.open({
      ledger: new MemoryLog(),
      clock: () => at,
      policy: { budgets: { usd: "9" } },
    });
    if (!kernel.ok) throw new Error(kernel.problem.message);
    const gate = {
      name: "sign",
      enforcement: "blocking",
      rule: "attested",
      keys: [ann.publicKey],
      quorum: 1,
    };
    expect(passed(await kernel.value.amend({ budgets: { usd: "9" }, rules: [gate] }))).toBe(true);
    expect(passed(await kernel.value.execute({ id: "x" }))).toBe(false);
    const one = signed(kernel.value, ann, {}, { id: "x" });
    expect(passed(await kernel.value.execute({ id: "x" }, [plain(one)]))).toBe(true);
  });
});

describe("as text", () => {
  test("an attestation is read back the same, and every other text is refused", async () => {
    const kernel = await opened();
    const one = signed(kernel);
    const text = attestationText(one);
    const read = attestationOfText(text);
    expect(read.ok && read.value).toEqual(one);
    for (const wrong of [
      "",
      "[]",
      "null",
      text.slice(1),
      text.replace(/"v":1/, '"v":"1"'),
      `${text}${" ".repeat(10_000)}`,
    ])
      expect(attestationOfText(wrong).ok).toBe(false);
  });

  test("a statement that no reader would take is not signed", async () => {
    const kernel = await opened();
    for (const more of [
      { nonce: "1" },
      { by: "" },
      { by: "a\nb" },
      { expires: at },
      { expires: at + 400 * 24 * hour },
      { version: -1 },
    ])
      expect(() => signed(kernel, ann, more)).toThrow(TypeError);
  });
});
