/** The receipt of a run that was approved here, and the key that signs it. */
import { createPublicKey } from "node:crypto";
import {
  type Approval,
  inputsDigest,
  newNonce,
  type Receipt,
  receiptLimits,
  signReceipt,
} from "../../approve/index.ts";
import { hashDocument, type RecordValue } from "../../ir/index.ts";
import { type Kernel, newKeys } from "../../kernel/index.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";
import { keyPathOf, readPrivateKey } from "../kernel/keys.ts";
import { type Address, firstBytes } from "../kernel/ledger.ts";
import type { LoadedProgram } from "../load-program.ts";
import type { Terminal } from "../terminal.ts";

/** Who decided that a run may begin. */
export interface Approver {
  readonly decision: Approval;
  /** In words. */
  readonly by: string;
}

export interface SigningKey {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** How long an approval is good for that is used at once. */
const lifetimeMs = 10 * 60 * 1000;

/**
 * The key that was named, or the one beside the ledger. Where nothing is kept, one that nobody will need again.
 * @param fresh the key of a ledger that is made with the run
 */
export async function signingKey(
  terminal: Terminal,
  address: Address | undefined,
  given: string | undefined,
  fresh?: SigningKey,
): Promise<Attempt<SigningKey>> {
  const beside = address && keyPathOf(address);
  const found = given ?? (beside !== undefined && (await isThere(terminal, beside)) ? beside : undefined);
  if (found === undefined) {
    if (address === undefined || fresh !== undefined) return attained(fresh ?? newKeys());
    const help = "make one: `foreclaim keys make approve.key`, and give it with --key";
    return failedAttempt(plainFailure("FC9010", "there is no key to sign the receipt with", help));
  }
  const privateKey = await readPrivateKey(terminal, found);
  if (!privateKey.ok) return privateKey;
  const publicKey = createPublicKey(privateKey.value).export({ type: "spki", format: "pem" }).toString();
  return attained({ privateKey: privateKey.value, publicKey });
}

async function isThere(terminal: Terminal, path: string): Promise<boolean> {
  const first = await firstBytes(terminal, path);
  return first.ok && first.value !== undefined;
}

export async function approvedReceipt(
  { checked, modules }: LoadedProgram,
  inputs: RecordValue,
  kernel: Kernel,
  { privateKey }: SigningKey,
  how: Approver & { readonly budget: string | undefined; readonly nowMs: number },
): Promise<Receipt> {
  const [first] = await kernel.entries(1, 1);
  const notBefore = Math.max(0, Math.floor(how.nowMs));
  return signReceipt(
    {
      program: hashDocument(checked.document),
      modules,
      inputs: inputsDigest(checked, inputs),
      kernel: first?.hash ?? "",
      budget: how.budget ?? null,
      uses: 1,
      notBefore,
      expires: notBefore + lifetimeMs,
      nonce: newNonce(),
      decision: how.decision,
      by: how.by.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "?").slice(0, receiptLimits.byLength),
    },
    privateKey,
  );
}
