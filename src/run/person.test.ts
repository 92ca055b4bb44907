/** The time of a call stands still while a person reads. */
import { expect, test } from "vitest";
import { type Attempts, tried } from "./attempts.ts";

/** A clock that a test moves. */
function handClock() {
  const waiting: (() => void)[] = [];
  const clock: Attempts["clock"] = {
    nowMs: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        waiting.push(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
  };
  const pass = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  return { clock, pass };
}

function attempts(call: Attempts["call"], answer: Promise<boolean>, clock: Attempts["clock"]): Attempts {
  const never = new AbortController().signal;
  return {
    ...{ call, actionId: "c1", runId: "r", key: "k", retries: 0, repeatable: false, random: () => 0 },
    ...{ timeoutMs: 1_000, graceMs: 10, clock, interrupted: never, ended: never, tell: () => {} },
    person: { approve: () => answer, approveList: async () => [], ask: async () => undefined },
  };
}

test("a question takes as long as it takes, and afterwards the time counts again", async () => {
  const { clock, pass } = handClock();
  let decide: (answer: boolean) => void = () => {};
  const answer = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  let ended = false;
  const work = tried(
    attempts(
      async ({ person, signal }) => {
        const isApproved = await person?.approve({ what: "", text: "" }, signal);
        if (isApproved === true) await new Promise(() => {});
      },
      answer,
      clock,
    ),
  ).finally(() => {
    ended = true;
  });
  work.catch(() => {});
  for (let i = 0; i < 5; i++) await pass();
  expect(ended).toBe(false);
  decide(true);
  for (let i = 0; i < 5; i++) await pass();
  await expect(work).rejects.toThrow("timed out after 1000 ms");
});
