/** Kills processes in the middle of steps of a kernel, again and again, and looks at the ledger meanwhile. */

import { checkKernelLog } from "./kernel-log.ts";
import type { Children } from "./ledger-children.ts";
import { randomFrom } from "./random.ts";

export interface KernelCrashes {
  readonly url: string;
  readonly kills: number;
  readonly seed: number;
}

/** A log is read from its beginning by every new process, so it is kept short. */
const KILLS_PER_KERNEL = 25;
/** While one starts, another is in the middle of something. */
const AT_ONCE = 3;
const LONGEST_MS = 30;
const CHECK_EVERY = 8;

export interface CrashCounts {
  readonly kills: number;
  readonly entries: number;
  readonly acknowledged: number;
  readonly inDoubt: number;
}

export async function crashKernels(
  children: Children,
  { url, kills, seed }: KernelCrashes,
): Promise<CrashCounts> {
  const random = randomFrom(seed);
  const counts = { kills: 0, entries: 0, acknowledged: 0, inDoubt: 0 };
  for (let kernel = 0; counts.kills < kills; kernel++) {
    const name = `crashed-${kernel}`;
    children.acknowledged.clear();
    const until = Math.min(kills, counts.kills + KILLS_PER_KERNEL);
    let started = counts.kills;
    const lane = async () => {
      while (started < until) {
        const number = ++started;
        const child = children.start(url, name, `c${number}`, 1_000_000, {
          seed: Math.floor(random() * 2 ** 31),
        });
        // Any instant: while it starts, within the millisecond of the first acknowledgement, and later.
        const [kind, wait] = [random(), random()];
        if (kind < 0.1) await after(wait * 150);
        else {
          await child.begun;
          if (kind > 0.3) await after(wait * LONGEST_MS);
        }
        await child.kill();
        if (child.said.includes("Error")) throw new Error(child.said);
        counts.kills++;
        // The other lanes go on while this one looks.
        if (number % CHECK_EVERY === 0 && children.acknowledged.size > 0)
          await checkKernelLog(url, name, children.acknowledged);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const { log, inDoubt } = await checkKernelLog(url, name, children.acknowledged, true);
    counts.entries += log.length;
    counts.acknowledged += children.acknowledged.size;
    counts.inDoubt += inDoubt.length;
    // After everything was resolved it still verifies, and nothing that was acknowledged has moved.
    await checkKernelLog(url, name, children.acknowledged);
  }
  return counts;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
