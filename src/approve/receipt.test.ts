import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { newKeys, signCheckpoint } from "../kernel/index.ts";
import { type Asked, receiptProblems } from "./check-receipt.ts";
import { fingerprint } from "./keys.ts";
import { receiptLimits } from "./limits.ts";
import {
  type Grant,
  newNonce,
  type Receipt,
  readReceipt,
  receiptText,
  signatureProblem,
  signReceipt,
} from "./receipt.ts";

const keys = newKeys();
const hex = (digit: string, length = 64) => digit.repeat(length);
const grant: Grant = {
  program: `eir1-${hex("a")}`,
  modules: `fcm1-${hex("b")}`,
  inputs: `in1-${hex("c")}`,
  kernel: hex("d"),
  budget: "12.50",
  uses: 1,
  notBefore: 1_000,
  expires: 61_000,
  nonce: hex("0", 32),
  decision: "approved_once",
  by: "terminal",
};
const asked: Asked = {
  program: grant.program,
  modules: grant.modules,
  inputs: grant.inputs,
  kernel: grant.kernel,
  nowMs: 2_000,
};
const receipt = signReceipt(grant, keys.privateKey);
const text = receiptText(receipt);

const codesFor = (one: Receipt, changes: Partial<Asked> = {}, key = keys.publicKey) =>
  receiptProblems(one, key, { ...asked, ...changes }).map(({ code }) => code);
const signedWith = (changes: Partial<Grant>, privateKey = keys.privateKey) =>
  signReceipt({ ...grant, ...changes }, privateKey);

describe("a receipt", () => {
  test("is good for what it was signed for, with the public key alone", () => {
    expect(codesFor(receipt)).toEqual([]);
    expect(signatureProblem(receipt, keys.publicKey)).toBeUndefined();
  });

  test("survives its text, and a line end after it", () => {
    expect(readReceipt(text)).toEqual({ ok: true, value: receipt });
    expect(readReceipt(`${text}\n`)).toEqual({ ok: true, value: receipt });
  });

  test("names the key by its fingerprint, the same from either half", () => {
    expect(receipt.key).toBe(fingerprint(keys.publicKey));
    expect(receipt.key).toBe(fingerprint(keys.privateKey));
    expect(receipt.key).toMatch(/^fck1-[0-9a-f]{32}$/);
  });

  test("has a nonce that nobody else has", () => {
    expect(new Set(Array.from({ length: 100 }, newNonce)).size).toBe(100);
  });
});

describe("a receipt is refused", () => {
  const elsewhere = hex("e");
  test.each<[string, string, Partial<Asked>]>([
    ["for another program", "FC4004", { program: `eir1-${elsewhere}` }],
    ["for other tools", "FC4005", { modules: `fcm1-${elsewhere}` }],
    ["for other inputs", "FC4006", { inputs: `in1-${elsewhere}` }],
    ["on another ledger", "FC4007", { kernel: elsewhere }],
    ["at the moment it expires", "FC4008", { nowMs: 61_000 }],
    ["before its time", "FC4009", { nowMs: 999 }],
    ["by a clock that is no time", "FC4008", { nowMs: Number.NaN }],
  ])("%s", (_, code, changes) => {
    expect(codesFor(receipt, changes)).toEqual([code]);
  });

  test("for everything that is wrong at once", () => {
    const changes = { program: "x", modules: "x", inputs: "x", kernel: "x", nowMs: 0 };
    expect(codesFor(receipt, changes)).toEqual(["FC4004", "FC4005", "FC4006", "FC4007", "FC4009"]);
  });

  test("at both ends of its time, and not in between", () => {
    expect(codesFor(receipt, { nowMs: 1_000 })).toEqual([]);
    expect(codesFor(receipt, { nowMs: 60_999 })).toEqual([]);
  });

  test("if another key signed it, whatever it says of the key", () => {
    const other = newKeys();
    const own = signedWith({}, other.privateKey);
    expect(codesFor(own)).toEqual(["FC4003"]);
    expect(codesFor({ ...own, key: receipt.key })).toEqual(["FC4002"]);
    expect(codesFor(receipt, {}, other.publicKey)).toEqual(["FC4003"]);
  });

  test.each([
    ["nothing", ""],
    ["no key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
    [
      "of another kind",
      generateKeyPairSync("ec", {
        namedCurve: "P-256",
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
      }).publicKey,
    ],
  ])("if the key to verify with is %s", (_, key) => {
    expect(codesFor(receipt, {}, key)).toEqual(["FC4003"]);
  });

  test("if any of its fields says something else", () => {
    const changed: Partial<Grant>[] = [
      { program: `eir1-${elsewhere}` },
      { modules: `fcm1-${elsewhere}` },
      { inputs: `in1-${elsewhere}` },
      { kernel: elsewhere },
      { budget: "12.5" },
      { budget: null },
      { uses: 2 },
      { notBefore: 0 },
      { expires: 61_001 },
      { nonce: hex("1", 32) },
      { decision: "auto_approved" },
      { by: "the terminal" },
    ];
    expect(changed.flatMap(Object.keys).sort()).toEqual([...Object.keys(grant), "budget"].sort());
    for (const one of changed) expect(codesFor({ ...receipt, ...one }, { ...one })).toEqual(["FC4002"]);
  });

  test("if any bit of its text is another", () => {
    const bytes = new TextEncoder().encode(text);
    // Every fifth: all of them take seconds, and each bit of a byte has its turn.
    for (let bit = 0; bit < bytes.length * 8; bit += 5) {
      const flipped = Uint8Array.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = readReceipt(new TextDecoder().decode(flipped));
      if (read.ok) expect(codesFor(read.value)).toHaveLength(1);
    }
  });

  test("if it is a signature of something else", () => {
    const checkpoint = signCheckpoint(
      { kernel: "main", length: 1, head: hex("d"), time: 1 },
      keys.privateKey,
    );
    expect(codesFor({ ...receipt, signature: checkpoint.signature })).toEqual(["FC4002"]);
  });
});

describe("what is not a receipt", () => {
  const json = JSON.parse(text);
  const changed = (change: object) =>
    JSON.stringify({ ...json, ...change }, Object.keys({ ...json, ...change }).sort());

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", "null"],
    ["an unknown field", changed({ also: 1 })],
    ["a field twice", text.replace("{", '{"v":1,')],
    ["spaces", text.replace(",", ", ")],
    ["another order", JSON.stringify({ v: 1, ...json })],
    ["another spelling of a letter", text.replace("terminal", "\\u0074erminal")],
    ["another spelling of a number", text.replace('"uses":1', '"uses":1.0')],
    ["something after it", `${text} `],
    ["two line ends after it", `${text}\n\n`],
    ["more than fits", text + " ".repeat(receiptLimits.length)],
    ["another version", changed({ v: 2 })],
    ["no use at all", changed({ uses: 0 })],
    ["too many uses", changed({ uses: receiptLimits.uses + 1 })],
    ["half a use", changed({ uses: 1.5 })],
    ["a use as a text", changed({ uses: "1" })],
    ["an end before its beginning", changed({ expires: 999 })],
    ["no time at all", changed({ expires: 1_000 })],
    ["an end that never comes", changed({ expires: 1_001 + receiptLimits.lifetimeMs })],
    ["a budget as a number", changed({ budget: 12.5 })],
    ["a negative budget", changed({ budget: "-1" })],
    ["an endless budget", changed({ budget: "Infinity" })],
    ["a budget with an exponent", changed({ budget: "1e9" })],
    ["a short nonce", changed({ nonce: "00" })],
    ["a nonce in capitals", changed({ nonce: hex("A", 32) })],
    ["a rejection", changed({ decision: "rejected" })],
    ["nobody who decided", changed({ by: "" })],
    ["somebody who turns the line", changed({ by: "a\u202eb" })],
    ["somebody with a long name", changed({ by: "a".repeat(receiptLimits.byLength + 1) })],
    ["a signature with a bit too many", changed({ signature: `${json.signature.slice(0, 85)}B==` })],
    ["a short signature", changed({ signature: "AAAA" })],
    ...Object.keys(json).map((name): [string, string] => [
      `no ${name}`,
      JSON.stringify(
        json,
        Object.keys(json).filter((one) => one !== name),
      ),
    ]),
    ...Object.keys(json).map((name): [string, string] => [`an object as ${name}`, changed({ [name]: {} })]),
  ])("%s", (_, given) => {
    const read = readReceipt(given);
    expect(read.ok ? "read" : read.problems.map(({ code }) => code)).toEqual(["FC4001"]);
  });

  test("is never taken for one, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((one) => changed({ by: one })),
        ),
        (given) => {
          const read = readReceipt(given);
          if (read.ok) expect(receiptText(read.value)).toBe(given.replace(/\n$/, ""));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test("cannot be signed", () => {
    expect(() => signedWith({ uses: 0 })).toThrow("`uses` of the receipt is not");
    expect(() => signedWith({ program: "x" })).toThrow("not the hash of a document");
    expect(() => signedWith({}, keys.publicKey)).toThrow("not an Ed25519 private key");
  });
});
