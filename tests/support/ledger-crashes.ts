/** Kills processes in the middle of appending, again and again, and looks at the ledger each time. */

import type { Children } from "./ledger-children.ts";

export interface Crashes {
  readonly url: string;
  readonly kills: number;
  /** Done now and then between the kills: something worse, from which the ledger must come back. */
  readonly disaster?: { readonly every: number; readonly strike: () => Promise<void> };
}

const KERNEL = "crashed";
/** Two at a time, so that one is always in the middle when the other dies. */
const AT_ONCE = 2;
const LONGEST_MS = 40;

/** Gives the number of entries, of those acknowledged, and of disasters. */
export async function crash(children: Children, { url, kills, disaster }: Crashes) {
  let killed = 0;
  let struck = 0;
  const lane = async () => {
    while (killed < kills) {
      const number = ++killed;
      const child = children.start(url, KERNEL, `c${number}`, 1_000_000);
      await child.begun;
      // Any instant: also within the same millisecond as the first acknowledgement.
      const waitMs = number % 5 === 0 ? 0 : Math.random() * LONGEST_MS;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (disaster !== undefined && number % disaster.every === 0) {
        struck++;
        await disaster.strike();
      }
      await child.kill();
      if (child.said.includes("Error")) throw new Error(child.said);
      if (number % 10 === 0) await children.check(url, KERNEL);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const log = await children.check(url, KERNEL);
  return { entries: log.length, acknowledged: children.acknowledged.size, kills: killed, disasters: struck };
}

/** Kills processes while they make the ledger, and appends to what they leave. */
export async function crashWhileMade(children: Children, urls: readonly string[]): Promise<void> {
  for (const [index, url] of urls.entries()) {
    const child = children.start(url, KERNEL, `m${index}`, 3);
    // From before it has done anything until after its first entries.
    await Promise.race([child.begun, new Promise((resolve) => setTimeout(resolve, Math.random() * 300))]);
    await child.kill();
    const next = children.start(url, KERNEL, `n${index}`, 3);
    if ((await next.ended) !== 0) throw new Error(next.said);
    await children.check(url, KERNEL);
    children.acknowledged.clear();
  }
}
