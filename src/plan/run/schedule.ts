/**
 * Runs actions as soon as all that they wait for have ended, so many at a time, until all have ended or one ends the plan.
 * Which schedule comes of that is up to how long they take; a verdict on a plan holds for all of them.
 */
import type { Graph } from "../strict/graph.ts";

export interface Schedule {
  readonly graph: Graph;
  readonly concurrency: number;
  /** Those that ended in an earlier process. */
  readonly hasEnded: (action: number) => boolean;
  /** Does one action; what it throws ends the plan and is thrown on once nothing is under way. */
  readonly act: (action: number) => Promise<void>;
  /** Nothing more begins. */
  readonly stopped: AbortSignal;
}

export function afterOf({ before }: Graph): readonly (readonly number[])[] {
  const after: number[][] = before.map(() => []);
  for (const [i, from] of before.entries()) for (const one of from) after[one]?.push(i);
  return after;
}

export function runSchedule({ graph, concurrency, hasEnded, act, stopped }: Schedule): Promise<void> {
  const after = afterOf(graph);
  const waiting = graph.before.map((from) => from.filter((one) => !hasEnded(one)).length);
  const ready = graph.order.filter((i) => waiting[i] === 0 && !hasEnded(i));
  let [next, running] = [0, 0];
  return new Promise((resolve, reject) => {
    let fault: { readonly thrown: unknown } | undefined;
    const end = (i: number): void => {
      running--;
      for (const one of after[i] ?? []) {
        const left = (waiting[one] ?? 0) - 1;
        waiting[one] = left;
        if (left === 0 && !hasEnded(one)) ready.push(one);
      }
      go();
    };
    const go = (): void => {
      while (running < concurrency && next < ready.length && !stopped.aborted && fault === undefined) {
        const i = ready[next++] ?? 0;
        running++;
        void act(i)
          .catch((thrown: unknown) => {
            fault ??= { thrown };
          })
          .then(() => end(i));
      }
      if (running > 0) return;
      if (fault !== undefined) reject(fault.thrown);
      else resolve();
    };
    go();
  });
}
