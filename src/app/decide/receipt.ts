/** The receipt of a run that was approved here, and the key that signs it. */
import { createPublicKey } from "node:crypto";
import { inputsDigest, newNonce, type Receipt, receiptLimits, signReceipt } from "../../approve/index.ts";
import { hashDocument, ok, type Result } from "../../ir/index.ts";
import { newKeys } from "../../kernel/index.ts";
import type { Answer, RunRequest } from "../decide.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { keyPathOf, readPrivateKey, readPublicKey } from "../ledger/keys.ts";
import { type Address, firstBytes } from "../ledger/open.ts";

export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** The lifetime of an approval that is used at once. */
const lifetimeMs = 10 * 60 * 1000;

/**
 * The key that was named, or the one beside the ledger. Where nothing is kept, one that nobody will need again.
 * @param fresh the key of a ledger that is made with the run
 */
export async function signingKey(
  fs: FileSystem,
  address: Address | undefined,
  given: string | undefined,
  fresh?: SigningKey,
): Promise<Result<SigningKey, Failure>> {
  const beside = address && keyPathOf(address);
  const found = given ?? (beside !== undefined && (await isThere(fs, beside)) ? beside : undefined);
  if (found === undefined) {
    if (address === undefined || fresh !== undefined) return ok(fresh ?? newKeys());
    const help = "make one: `foreclaim keys make approve.key`, and give it with --key";
    return plainFailure("FC9010", "there is no key to sign the receipt with", help);
  }
  const privateKey = await readPrivateKey(fs, found);
  if (!privateKey.ok) return privateKey;
  const publicKey = createPublicKey(privateKey.value).export({ type: "spki", format: "pem" }).toString();
  return ok({ privateKey: privateKey.value, publicKey });
}

/** Returns the public key of an approval service, whose private key stays there. */
export async function verifyingKey(
  fs: FileSystem,
  given: string | undefined,
): Promise<Result<SigningKey, Failure>> {
  if (given === undefined) {
    const help = "give its public key with --key; `foreclaim keys show` prints it";
    return plainFailure("FC9010", "there is no key to verify the receipt of the service with", help);
  }
  const publicKey = await readPublicKey(fs, given);
  return publicKey.ok ? ok({ privateKey: "", publicKey: publicKey.value }) : publicKey;
}

async function isThere(fs: FileSystem, path: string): Promise<boolean> {
  const first = await firstBytes(fs, path);
  return first.ok && first.value !== undefined;
}

/** Signs that a run was approved, for this program, these inputs and this kernel, once. */
export async function approvedReceipt(
  { proved, inputs, kernel, budget }: RunRequest,
  { privateKey }: SigningKey,
  { decision, by }: Extract<Answer, { readonly kind: "approved" }>,
  nowMs: number,
): Promise<Receipt> {
  const { checked, modules } = proved.document;
  const [first] = await kernel.entries(1, 1);
  const notBefore = Math.max(0, Math.floor(nowMs));
  return signReceipt(
    {
      program: hashDocument(checked.document),
      modules,
      inputs: inputsDigest(checked, inputs),
      kernel: first?.hash ?? "",
      budget: budget ?? null,
      uses: 1,
      notBefore,
      expires: notBefore + lifetimeMs,
      nonce: newNonce(),
      decision,
      by: by.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?").slice(0, receiptLimits.byLength),
    },
    privateKey,
  );
}
