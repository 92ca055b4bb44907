/** Workers that are killed at random moments, and a person who resolves what is in doubt by looking at the world. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { randomFrom } from "../support/random.ts";
import { type Field, programs } from "./worker-field.ts";

export interface Crashes {
  readonly workers: number;
  readonly runs: number;
  readonly kills: number;
  readonly seed: number;
}

/** The policy that lets every program of these tests run. */
export const approvesAll = [
  { name: "few", decision: "auto_approved", whenProven: ["world.atMost(3)"], reason: "it does little" },
];

/** Each effect happens once, or is in doubt and listed; every run comes to its end. Gives how many calls were in doubt. */
export async function crash(field: Field, { workers, runs, kills, seed }: Crashes): Promise<number> {
  const random = randomFrom(seed);
  const start = () => field.worker("--lease", "1s", "--runs", "3");
  const alive = Array.from({ length: workers }, start);
  const ids: string[] = [];
  let [killed, doubts] = [0, 0];
  const file = async () => void ids.push(await field.file(programs.steps));
  await file();
  while (killed < kills) {
    // New runs come while workers die.
    if (ids.length < runs && ids.length * kills <= killed * runs) await file();
    await sleep(100 + Math.floor(random() * 1_500));
    const place = Math.floor(random() * alive.length);
    const victim = alive[place];
    if (victim === undefined) throw new Error("there is no worker");
    victim.child.kill("SIGKILL");
    await victim.ended;
    killed++;
    alive[place] = start();
    // What a killed process had begun is over by then.
    await sleep(100);
  }
  while (ids.length < runs) await file();
  for (const id of ids)
    for (;;) {
      const { progress } = await field.until(id, () => true);
      if (progress?.state === "done") break;
      if (progress !== null) expect(["running", "in_doubt"]).toContain(progress.state);
      if (progress?.state === "in_doubt") doubts += await field.resolve();
      await sleep(50);
    }
  for (const { child, ended } of alive) {
    child.kill("SIGTERM");
    await ended;
  }
  const happened = field.world();
  for (const id of ids)
    for (const [tool, n, most] of [
      ["once", 1, 1],
      ["keyed", 2, Number.POSITIVE_INFINITY],
      ["once", 3, 1],
      ["keyed", 4, Number.POSITIVE_INFINITY],
      ["once", 5, 1],
    ] as const) {
      const times = happened.filter((line) => line.startsWith(`${tool} ${n} run ${id} `)).length;
      expect(times, `${tool} ${n} of ${id}`).toBeGreaterThanOrEqual(1);
      expect(times, `${tool} ${n} of ${id}`).toBeLessThanOrEqual(most);
    }
  await field.onKernel(async (kernel) => expect(kernel.inDoubt()).toEqual([]));
  await field.command("trace", "verify", field.url);
  return doubts;
}
