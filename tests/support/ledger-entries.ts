/** Entries for tests of ledgers: small, different from each other, and checked when they come back. */

import { createHash } from "node:crypto";
import type { Ledger, Stored } from "../../src/ledger/port.ts";

export function entry(seq: number, text: string): Stored {
  const bytes = new TextEncoder().encode(text);
  return { seq, hash: hashOf(bytes), bytes };
}

export function textOf({ bytes }: Stored): string {
  return new TextDecoder().decode(bytes);
}

/** Appends one entry after whatever is there, and gives its sequence number. */
export async function append(ledger: Ledger, kernel: string, text: string, since = 0): Promise<number> {
  let seq = 0;
  await ledger.transact(kernel, since, (after) => {
    seq = since + after.length + 1;
    return [entry(seq, text)];
  });
  return seq;
}

/** The whole log in pages. Throws at a gap, and at bytes that are not those of their hash. */
export async function wholeLog(ledger: Ledger, kernel: string, page = 1000): Promise<readonly Stored[]> {
  const log: Stored[] = [];
  for (;;) {
    const found = await ledger.read(kernel, log.length + 1, page);
    for (const stored of found) {
      if (stored.seq !== log.length + 1) throw new Error(`entry ${stored.seq} follows entry ${log.length}`);
      if (hashOf(stored.bytes) !== stored.hash)
        throw new Error(`entry ${stored.seq} is not what was appended`);
      log.push(stored);
    }
    if (found.length < page) return log;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
