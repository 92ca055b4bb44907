/**
 * A process of its own that appends to a ledger: `child <url> <kernel> <name> <count>`. Each entry is `<name>:<n>`, and
 * its number is printed as soon as it is acknowledged, straight to the pipe, so that being killed loses nothing that
 * was printed. It goes on when the engine goes away and comes back.
 */

import { createHash } from "node:crypto";
import { openLedger } from "../../src/ledger/open.ts";
import { InDoubt, type Ledger, LedgerUnavailable } from "../../src/ledger/port.ts";
import { writeAll } from "./write-all.ts";

const [url = "", kernel = "", name = "", count = "0"] = process.argv.slice(2);

const ledger = await patiently(() => openLedger(url));
let since = 0;
for (let n = 1; n <= Number(count); n++) {
  const seq = await patiently(() => append(ledger, `${name}:${n}`));
  if (seq !== undefined) writeAll(1, `${seq} ${name}:${n}\n`);
}
await ledger.close();

/** The entry's number; undefined if it is in doubt, which is then neither tried again nor reported. */
async function append(ledger: Ledger, text: string): Promise<number | undefined> {
  const bytes = new TextEncoder().encode(text);
  const hash = createHash("sha256").update(bytes).digest("hex");
  let seq = 0;
  try {
    await ledger.transact(kernel, since, (after) => {
      seq = since + after.length + 1;
      return [{ seq, hash, bytes }];
    });
  } catch (error) {
    if (error instanceof InDoubt) return undefined;
    throw error;
  }
  since = seq;
  return seq;
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LedgerUnavailable) || tries > 100) throw error;
      writeAll(2, `${error.message}\n`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
