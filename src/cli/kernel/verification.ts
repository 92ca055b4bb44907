/** Verifies a trace from wherever it comes, and tells a waiting person how far it is. */

import {
  type Address,
  type Attempt,
  attained,
  entriesText,
  failedAttempt,
  firstBytes,
  keyPathOf,
  plainFailure,
  publicPathOf,
  readPublicKey,
  readSource,
  type TraceSource,
} from "../../app/index.ts";
import {
  type Checkpoint,
  type KernelState,
  readCheckpoint,
  type Verification,
  Verifier,
} from "../../kernel/index.ts";
import { LedgerUnavailable } from "../../ledger/index.ts";
import { Progress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";

export interface Verified extends Verification {
  readonly state: KernelState | undefined;
}

export interface Against {
  readonly checkpoints: readonly Checkpoint[];
  readonly publicKey?: string;
}

/** Told of so seldom, because telling takes longer than verifying an entry. */
const tellEvery = 64;

export async function verified(
  terminal: Terminal,
  source: TraceSource,
  against: Against = { checkpoints: [] },
): Promise<Verified> {
  const verifier = new Verifier(against);
  const progress = new Progress(terminal);
  const total = terminal.stderr.isTTY ? await source.total().catch(() => undefined) : undefined;
  let unreadable: string | undefined;
  try {
    for await (const stored of source.entries()) {
      if (!verifier.add(stored)) break;
      if (stored.seq % tellEvery === 0)
        await progress.part(stored.seq, total, `${entriesText(stored.seq)} verified`);
    }
  } catch (thrown) {
    if (!(thrown instanceof Error) || isPassing(thrown)) throw thrown;
    unreadable = thrown.message;
  } finally {
    await progress.clear();
  }
  const result = { ...verifier.end(), state: verifier.state };
  if (unreadable === undefined) return result;
  return {
    ...result,
    ok: false,
    problem: { seq: result.entries + 1, what: `it cannot be read: ${unreadable}` },
  };
}

/** Whether that is a matter of the moment or of the machine, and says nothing of the trace. */
function isPassing(thrown: Error): boolean {
  if (thrown instanceof LedgerUnavailable) return thrown.isPassing;
  return "code" in thrown && (thrown.code === "EACCES" || thrown.code === "EPERM");
}

/** Checkpoints that were kept, one on each line of a file, and the key that they are checked with. */
export async function loadAgainst(
  terminal: Terminal,
  address: Address,
  files: readonly string[],
  keyFile: string | undefined,
): Promise<Attempt<Against>> {
  if (files.length === 0) return attained({ checkpoints: [] });
  const checkpoints: Checkpoint[] = [];
  for (const file of files) {
    const source = await readSource(terminal, file);
    if (!source.ok) return source;
    const lines = source.value.text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines.length === 0 ? [""] : lines) {
      const read = readCheckpoint(line);
      if (!read.ok) {
        const help = "a checkpoint is what `foreclaim trace checkpoint` wrote";
        return failedAttempt(
          plainFailure("FC9010", `\`${file}\` is not a checkpoint: ${read.problem.message}`, help),
        );
      }
      checkpoints.push(read.value);
    }
  }
  const path = keyFile ?? (await keyFor(terminal, address, files));
  if (path === undefined) {
    const help = "give the public key with --key; `trace checkpoint` left it beside the checkpoint";
    return failedAttempt(
      plainFailure("FC9010", "a checkpoint is checked with a public key, and there is none", help),
    );
  }
  const key = await readPublicKey(terminal, path);
  return key.ok ? attained({ checkpoints, publicKey: key.value }) : key;
}

/** The one that was kept with a checkpoint goes first: whoever can write the ledger can write what is beside it. */
async function keyFor(
  terminal: Terminal,
  address: Address,
  checkpoints: readonly string[],
): Promise<string | undefined> {
  const beside = keyPathOf(address);
  const places = checkpoints.map(keyOfCheckpoint).concat(beside === undefined ? [] : [publicPathOf(beside)]);
  for (const place of places) {
    const first = await firstBytes(terminal, place);
    if (first.ok && first.value !== undefined) return place;
  }
  return undefined;
}

/** Where the public key is that a checkpoint is checked with. */
export function keyOfCheckpoint(path: string): string {
  return `${path}.pub`;
}
