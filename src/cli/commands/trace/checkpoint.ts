/**
 * `trace checkpoint`: signs how long a trace is and what its last entry is. Only what verifies is signed, and what the
 * checkpoint that it replaces was made of must be its beginning: otherwise a new signature would bless a new history.
 */

import {
  type Address,
  addressOf,
  entriesText,
  type Failure,
  firstBytes,
  type KernelChoice,
  keyOfCheckpoint,
  keyPathOf,
  loadAgainst,
  plainFailure,
  readPrivateKey,
  readPublicKey,
  systemWords,
  withTrace,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { checkpointText, signCheckpoint } from "../../../kernel/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import { lookOf, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { paintFor } from "../../text/paint.ts";
import { answered } from "../kernel/render.ts";
import { verifiedWithProgress } from "./verified.ts";

export interface CheckpointOptions extends KernelChoice {
  readonly key?: string;
  readonly output?: string;
}

export async function checkpointTrace(
  host: Host,
  ledger: string,
  options: CheckpointOptions,
): Promise<ExitCode> {
  const address = addressOf(ledger);
  if (!address.ok) return answered(host, address, options.json);
  const output = options.output ?? `${address.value.file ?? options.kernel}.checkpoint`;
  const done = await withTrace(host, ledger, options.kernel, async (source) => {
    const keyPath = await keyFor(host, address.value, options.key);
    if (!keyPath.ok) return keyPath;
    const privateKey = await readPrivateKey(host, keyPath.value);
    if (!privateKey.ok) return privateKey;
    const old = await firstBytes(host, output);
    if (!old.ok) return old;
    const files = old.value === undefined ? [] : [output];
    const against = await loadAgainst(host, address.value, files, keyPath.value);
    if (!against.ok) return against;
    const {
      ok: isFine,
      state,
      problem,
      entries,
      head,
    } = await verifiedWithProgress(host, source, against.value);
    if (!isFine || state === undefined) {
      const help = "nothing was signed; see `foreclaim trace verify`";
      const message = `entry ${problem?.seq}: ${problem?.what}`;
      return plainFailure("FC9007", message, help);
    }
    const { name: kernel, seq: length, time } = state;
    const checkpoint = signCheckpoint({ kernel, length, head, time }, privateKey.value);
    const publicKey = await readPublicKey(host, keyPath.value);
    if (!publicKey.ok) return publicKey;
    const written =
      (await write(host, keyOfCheckpoint(output), publicKey.value)) ??
      (await write(host, output, `${checkpointText(checkpoint)}\n`));
    if (written !== undefined) return written;
    await tell(host, options, output, { entries, head });
    return ok<ExitCode>(fine);
  });
  if (!done.ok && done.problems[0]?.code === "FC9007") {
    await answered(host, done, options.json);
    return notSo;
  }
  return answered(host, done, options.json);
}

async function write(host: Host, path: string, text: string): Promise<Failure | undefined> {
  const code = await host.writeFile(path, [text]);
  if (code === undefined) return undefined;
  const words = code === "ENOENT" ? "there is no such folder" : systemWords(code);
  return plainFailure("FC9004", `cannot write \`${path}\`: ${words}`);
}

async function keyFor(
  host: Host,
  address: Address,
  given: string | undefined,
): Promise<Result<string, Failure>> {
  if (given !== undefined) return ok(given);
  const beside = keyPathOf(address);
  const found = beside === undefined ? undefined : await firstBytes(host, beside);
  if (beside !== undefined && found?.ok && found.value !== undefined) return ok(beside);
  const help = "give one with --key; to make one: `foreclaim keys make ledger.key`";
  const where = beside === undefined ? "" : ` at \`${beside}\``;
  return plainFailure("FC9010", `there is no key to sign with${where}`, help);
}

async function tell(
  { stdout }: Host,
  { json }: CheckpointOptions,
  file: string,
  { entries, head }: { readonly entries: number; readonly head: string },
): Promise<void> {
  if (json) return writeJsonLine(stdout, { ok: true, file, entries, head });
  const { green, dim } = paintFor(lookOf(stdout));
  await stdout.write(
    `${green("signed")}  ${entriesText(entries)}, in ${visibleText(file)}\n        ${dim("head")} ${head}\n        keep it and ${visibleText(keyOfCheckpoint(file))}, which checks it, where whoever can write the ledger cannot\n`,
  );
}
