/**
 * Signs the length and the last entry of a trace. It signs only a trace that verifies and that continues the checkpoint
 * it replaces: otherwise a new signature would bless a new history.
 */
import { ok, type Result } from "../../ir/index.ts";
import { checkpointText, signCheckpoint } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { writeText } from "../files/write.ts";
import { keyPathOf, readPrivateKey, readPublicKey } from "./keys.ts";
import { type Address, addressOf, firstBytes, type KernelChoice } from "./open.ts";
import { type TraceSource, withTrace } from "./trace-source.ts";
import { type Against, keyOfCheckpoint, loadAgainst, type Verified } from "./verification.ts";

export interface CheckpointOptions extends KernelChoice {
  readonly key?: string;
  readonly output?: string;
}

export interface SignedCheckpoint {
  readonly file: string;
  /** The file of the public key that checks it. */
  readonly keyFile: string;
  readonly entries: number;
  readonly head: string;
}

export async function signTrace(
  fs: FileSystem,
  ledger: string,
  options: CheckpointOptions,
  verify: (source: TraceSource, against: Against) => Promise<Verified>,
): Promise<Result<SignedCheckpoint, Failure>> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const file = options.output ?? `${address.value.file ?? options.kernel}.checkpoint`;
  return withTrace(fs, ledger, options.kernel, async (source) => {
    const keyPath = await keyFor(fs, address.value, options.key);
    if (!keyPath.ok) return keyPath;
    const privateKey = await readPrivateKey(fs, keyPath.value);
    if (!privateKey.ok) return privateKey;
    const old = await firstBytes(fs, file);
    if (!old.ok) return old;
    const against = await loadAgainst(fs, address.value, old.value === undefined ? [] : [file], [
      keyPath.value,
    ]);
    if (!against.ok) return against;
    const { ok: isFine, state, problem, entries, head } = await verify(source, against.value);
    if (!isFine || state === undefined) {
      const help = "nothing was signed; see `foreclaim trace verify`";
      return plainFailure("FC9007", `entry ${problem?.seq}: ${problem?.what}`, help);
    }
    const { name: kernel, seq: length, time } = state;
    const checkpoint = signCheckpoint({ kernel, length, head, time }, privateKey.value);
    const publicKey = await readPublicKey(fs, keyPath.value);
    if (!publicKey.ok) return publicKey;
    const keyFile = keyOfCheckpoint(file);
    const failure =
      (await writeText(fs, keyFile, [publicKey.value])) ??
      (await writeText(fs, file, [`${checkpointText(checkpoint)}\n`]));
    return failure ?? ok({ file, keyFile, entries, head });
  });
}

async function keyFor(
  fs: FileSystem,
  address: Address,
  given: string | undefined,
): Promise<Result<string, Failure>> {
  if (given !== undefined) return ok(given);
  const beside = keyPathOf(address);
  const found = beside === undefined ? undefined : await firstBytes(fs, beside);
  if (beside !== undefined && found?.ok && found.value !== undefined) return ok(beside);
  const help = "give one with --key; to make one: `foreclaim keys make ledger.key`";
  const where = beside === undefined ? "" : ` at \`${beside}\``;
  return plainFailure("FC9010", `there is no key to sign with${where}`, help);
}
