/** Verifies a trace from wherever it comes. */

import { ok, type Result } from "../../ir/index.ts";
import {
  type Checkpoint,
  type KernelState,
  readCheckpoint,
  type Verification,
  Verifier,
} from "../../kernel/index.ts";
import { LedgerUnavailable } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { keyPathOf, publicPathOf, readPublicKey } from "./keys.ts";
import { type Address, firstBytes } from "./open.ts";
import type { TraceSource } from "./trace-source.ts";

export interface Verified extends Verification {
  readonly state: KernelState | undefined;
}

export interface Against {
  readonly checkpoints: readonly Checkpoint[];
  readonly publicKeys?: readonly string[];
  readonly quorum?: number;
}

/** Telling takes longer than verifying an entry, so it is done seldom. */
const tellEvery = 64;

/** @param told hears how many entries are verified */
export async function verified(
  source: TraceSource,
  against: Against = { checkpoints: [] },
  told?: (entries: number) => Promise<void>,
): Promise<Verified> {
  const verifier = new Verifier(against);
  let unreadable: string | undefined;
  try {
    for await (const stored of source.entries()) {
      if (!verifier.add(stored)) break;
      if (stored.seq % tellEvery === 0) await told?.(stored.seq);
    }
  } catch (thrown) {
    if (!(thrown instanceof Error) || isPassing(thrown)) throw thrown;
    unreadable = thrown.message;
  }
  const result = { ...verifier.end(), state: verifier.state };
  if (unreadable === undefined) return result;
  return {
    ...result,
    ok: false,
    problem: { seq: result.entries + 1, what: `it cannot be read: ${unreadable}` },
  };
}

/** Returns true for a failure of the moment or of the machine, which says nothing of the trace. */
function isPassing(thrown: Error): boolean {
  if (thrown instanceof LedgerUnavailable) return thrown.isPassing;
  return "code" in thrown && (thrown.code === "EACCES" || thrown.code === "EPERM");
}

/** Checkpoints that were kept, one on each line of a file, and the key that they are checked with. */
export async function loadAgainst(
  fs: FileSystem,
  address: Address,
  files: readonly string[],
  keyFiles: readonly string[] | undefined,
  quorum = 1,
): Promise<Result<Against, Failure>> {
  if (files.length === 0) return ok({ checkpoints: [] });
  const checkpoints: Checkpoint[] = [];
  for (const file of files) {
    const source = await readSource(fs, file);
    if (!source.ok) return source;
    const lines = source.value.text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines.length === 0 ? [""] : lines) {
      const read = readCheckpoint(line);
      if (!read.ok) {
        const help = "a checkpoint is what `foreclaim trace checkpoint` wrote";
        return plainFailure("FC9010", `\`${file}\` is not a checkpoint: ${read.problem.message}`, help);
      }
      checkpoints.push(read.value);
    }
  }
  const paths = keyFiles ?? (await keysFor(fs, address, files));
  if (paths.length === 0) {
    const help = "give the public key with --key; `trace checkpoint` left it beside the checkpoint";
    return plainFailure("FC9010", "a checkpoint is checked with a public key, and there is none", help);
  }
  const publicKeys: string[] = [];
  for (const path of paths) {
    const key = await readPublicKey(fs, path);
    if (!key.ok) return key;
    publicKeys.push(key.value);
  }
  return ok({ checkpoints, publicKeys, quorum });
}

/**
 * The keys that were kept with the checkpoints; that beside the ledger only if there is none of them: a writer of the
 * ledger can write the files beside it too.
 */
async function keysFor(
  fs: FileSystem,
  address: Address,
  checkpoints: readonly string[],
): Promise<readonly string[]> {
  const isThere = async (place: string) => {
    const first = await firstBytes(fs, place);
    return first.ok && first.value !== undefined;
  };
  const kept: string[] = [];
  for (const place of checkpoints.map(keyOfCheckpoint)) if (await isThere(place)) kept.push(place);
  if (kept.length > 0) return kept;
  const beside = keyPathOf(address);
  const place = beside === undefined ? undefined : publicPathOf(beside);
  return place !== undefined && (await isThere(place)) ? [place] : [];
}

/** Returns the path of the public key that verifies a checkpoint. */
export function keyOfCheckpoint(path: string): string {
  return `${path}.pub`;
}
