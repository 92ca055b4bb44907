/**
 * Receipts: that somebody approved one program, with the tools, inputs, ledger and budget that it was shown with, until a
 * moment, and for so many runs. Signed with Ed25519; to verify one, the public key is all that is needed.
 * A receipt has one text, the canonical one, and no other text is taken for it. Part of what must be trusted.
 */
import { randomBytes, sign, verify } from "node:crypto";
import {
  canonicalJson,
  type Failed,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type PlainJson,
  quoted,
  type Result,
  readJson,
} from "../ir/index.ts";
import type { ApproveCode, ReceiptProblem } from "./codes.ts";
import { fingerprintOf, privateKeyIn, publicKeyIn } from "./keys.ts";
import { receiptLimits } from "./limits.ts";

/** Kinds of approval. */
export const approvals = ["approved_once", "approved_remember", "auto_approved"] as const;
export type Approval = (typeof approvals)[number];

/** The approved program, with its tools, inputs and kernel. */
export interface Grant {
  /** The document, by its hash. */
  readonly program: string;
  /** The tool modules, by their hash. */
  readonly modules: string;
  /** Digest of the inputs, by `inputsDigest`. */
  readonly inputs: string;
  /** The kernel, by the hash of its first entry: what is used once is used once there. */
  readonly kernel: string;
  /** The most that the calls of one run may cost in all; null for what the kernel has. */
  readonly budget: string | null;
  /** For how many runs. */
  readonly uses: number;
  /** Milliseconds, as `Date.now()`. */
  readonly notBefore: number;
  /** The first moment at which it is good no more. */
  readonly expires: number;
  /** 128 random bits in hex. */
  readonly nonce: string;
  readonly decision: Approval;
  /** The person or rule that decided, as text. */
  readonly by: string;
}

export interface Receipt extends Grant {
  /** The fingerprint of the key that signed. */
  readonly key: string;
  /** Base64. */
  readonly signature: string;
}

export type ReadReceipt = Result<Receipt, Failed<ReceiptProblem>>;

export function newNonce(): string {
  return randomBytes(16).toString("hex");
}

/** Throws for an invalid key, or for a receipt that no reader would accept: a fault of the signer. */
export function signReceipt(grant: Grant, privateKey: string): Receipt {
  const key = privateKeyIn(privateKey);
  if (key === undefined) throw new TypeError("not an Ed25519 private key in PEM");
  const unsigned = { ...grant, key: fingerprintOf(key) };
  const receipt = { ...unsigned, signature: sign(null, signedBytes(unsigned), key).toString("base64") };
  const read = readReceipt(receiptText(receipt));
  if (!read.ok) throw new TypeError(read.problems[0]?.message);
  return read.value;
}

export function receiptText(receipt: Receipt): string {
  return canonicalJson({ ...body(receipt), signature: receipt.signature });
}

/** Strict: every field is there and within its bounds, there is no other, and the text is the canonical one. */
export function readReceipt(text: string): ReadReceipt {
  const wrong = (what: string): ReadReceipt => ({ ok: false, problems: [problem("FC4001", what)] });
  const { length } = receiptLimits;
  if (text.length > length) return wrong(`a receipt has up to ${length} characters, and this has more`);
  const read = readJson(text);
  if (!read.ok) return wrong(`this is not JSON: ${read.problems[0]?.message ?? ""}`);
  const json = read.value.value;
  if (!isJsonObject(json)) return wrong("a receipt is an object");
  const unknown = Object.keys(json).find((name) => !Object.hasOwn(shapes, name));
  if (unknown !== undefined) return wrong(`a receipt has no field ${quoted(unknown.slice(0, 60))}`);
  for (const [name, { fits, says }] of Object.entries(shapes)) {
    const field = Object.hasOwn(json, name) ? json[name] : undefined;
    if (field === undefined) return wrong(`the receipt has no ${quoted(name)}`);
    if (!fits(field)) return wrong(`${quoted(name)} of the receipt is not ${says}`);
  }
  const receipt = receiptOf(json);
  const { notBefore, expires } = receipt;
  if (expires <= notBefore || expires - notBefore > receiptLimits.lifetimeMs)
    return wrong("`expires` of the receipt is not within a year after `notBefore`");
  if (receiptText(receipt) !== text.replace(/\n$/, "")) return wrong("the receipt is not in canonical form");
  return { ok: true, value: receipt };
}

/** Why the signature is not one of this key; undefined if it is. Says nothing of what the receipt is good for. */
export function signatureProblem(receipt: Receipt, publicKey: string): ReceiptProblem | undefined {
  const key = publicKeyIn(publicKey);
  if (key === undefined)
    return problem("FC4003", "there is no Ed25519 public key in PEM to verify the receipt with");
  const name = fingerprintOf(key);
  if (receipt.key !== name)
    return problem(
      "FC4003",
      `the receipt names the key \`${receipt.key}\`, and the key to verify with is \`${name}\``,
    );
  if (verify(null, signedBytes(receipt), key, Buffer.from(receipt.signature, "base64"))) return undefined;
  return problem("FC4002", `the receipt is not what \`${name}\` signed: something in it was changed`);
}

export function problem(code: ApproveCode, message: string, help?: string): ReceiptProblem {
  return help === undefined ? { code, message } : { code, message, help };
}

// ── the bytes ────────────────────────────────────────────────────────────────────────────────────────────

/** The first line keeps a signature from being good for anything else. */
function signedBytes(receipt: Omit<Receipt, "signature">): Buffer {
  return Buffer.from(`foreclaim receipt\n${canonicalJson(body(receipt))}`, "utf8");
}

function body(receipt: Omit<Receipt, "signature">): Readonly<Record<string, PlainJson>> {
  const { program, modules, inputs, kernel, budget, uses, notBefore, expires, nonce, decision, by, key } =
    receipt;
  return {
    v: 1,
    program,
    modules,
    inputs,
    kernel,
    budget,
    uses,
    notBefore,
    expires,
    nonce,
    decision,
    by,
    key,
  };
}

interface Shape {
  readonly fits: (field: Json) => boolean;
  readonly says: string;
}

const text = (pattern: RegExp, says: string): Shape => ({
  fits: (field) => typeof field === "string" && pattern.test(field),
  says,
});

const whole = (least: number, most: number): Shape => ({
  fits: (field) => {
    const number = numberIn(field);
    return number !== undefined && number >= least && number <= most;
  },
  says: `a whole number from ${least} to ${most}`,
});

/** INVARIANT: every field of a receipt, and so every byte that is signed, is here. */
const shapes: Readonly<Record<keyof Receipt | "v", Shape>> = {
  v: { fits: (field) => numberIn(field) === 1, says: "1, the only version there is" },
  program: text(/^eir1-[0-9a-f]{64}$/, "the hash of a document"),
  modules: text(/^fcm1-[0-9a-f]{64}$/, "the hash of tool modules"),
  inputs: text(/^in1-[0-9a-f]{64}$/, "the digest of inputs"),
  kernel: text(/^[0-9a-f]{64}$/, "the hash of an entry"),
  budget: {
    fits: (field) =>
      field === null ||
      (typeof field === "string" && /^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$/.test(field)),
    says: "null or an amount such as `12.50`",
  },
  uses: whole(1, receiptLimits.uses),
  notBefore: whole(0, Number.MAX_SAFE_INTEGER),
  expires: whole(0, Number.MAX_SAFE_INTEGER),
  nonce: text(/^[0-9a-f]{32}$/, "128 bits in hex"),
  decision: {
    fits: (field) => approvals.some((one) => one === field),
    says: `one of ${approvals.map(quoted).join(", ")}`,
  },
  by: {
    fits: (field) =>
      typeof field === "string" &&
      field.length > 0 &&
      field.length <= receiptLimits.byLength &&
      !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(field),
    says: `a text of 1 to ${receiptLimits.byLength} characters`,
  },
  key: text(/^fck1-[0-9a-f]{32}$/, "the fingerprint of a key"),
  // 64 bytes: 85 digits, one of which only two bits are left for, and the filling. So the text of the bytes is one.
  signature: text(/^[A-Za-z0-9+/]{85}[AQgw]==$/, "a signature in Base64"),
};

/** Once every field was looked at. */
function receiptOf(json: JsonObject): Receipt {
  const named = (name: keyof Receipt): string => {
    const field = json[name];
    return typeof field === "string" ? field : "";
  };
  const counted = (name: keyof Receipt): number => numberIn(json[name]) ?? 0;
  const decision = approvals.find((one) => one === json.decision);
  if (decision === undefined) throw new TypeError("a field of a receipt was not looked at");
  return Object.freeze({
    program: named("program"),
    modules: named("modules"),
    inputs: named("inputs"),
    kernel: named("kernel"),
    budget: json.budget === null ? null : named("budget"),
    uses: counted("uses"),
    notBefore: counted("notBefore"),
    expires: counted("expires"),
    nonce: named("nonce"),
    decision,
    by: named("by"),
    key: named("key"),
    signature: named("signature"),
  });
}

function numberIn(json: Json | undefined): number | undefined {
  if (!JsonNumber.is(json) || typeof json.value !== "bigint") return undefined;
  const isSafe = json.value >= 0n && json.value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSafe ? Number(json.value) : undefined;
}
