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
  readonly publicKey?: string;
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
  keyFile: string | undefined,
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
  const path = keyFile ?? (await keyFor(fs, address, files));
  if (path === undefined) {
    const help = "give the public key with --key; `trace checkpoint` left it beside the checkpoint";
    return plainFailure("FC9010", "a checkpoint is checked with a public key, and there is none", help);
  }
  const key = await readPublicKey(fs, path);
  return key.ok ? ok({ checkpoints, publicKey: key.value }) : key;
}

/** The one that was kept with a checkpoint goes first: whoever can write the ledger can write what is beside it. */
async function keyFor(
  fs: FileSystem,
  address: Address,
  checkpoints: readonly string[],
): Promise<string | undefined> {
  const beside = keyPathOf(address);
  const places = checkpoints.map(keyOfCheckpoint).concat(beside === undefined ? [] : [publicPathOf(beside)]);
  for (const place of places) {
    const first = await firstBytes(fs, place);
    if (first.ok && first.value !== undefined) return place;
  }
  return undefined;
}

/** Returns the path of the public key that verifies a checkpoint. */
export function keyOfCheckpoint(path: string): string {
  return `${path}.pub`;
}
