/** Asks the world for the value of a fluent at a key, by the probe of its tool module. What comes back is not trusted. */
import { type Fluent, fromJs, isList, type Json, toJs, type Value } from "../../ir/index.ts";
import { reasonOf } from "../attempts.ts";
import { toJson } from "../cells.ts";
import type { Clock } from "../clock.ts";

/** The probe of a fluent as its module declares it. */
export interface LoadedProbe {
  readonly probe: (key: unknown, call: unknown) => unknown;
  readonly keys?: (call: unknown) => unknown;
  /** True if the state takes the world's value where they differ. */
  readonly takes: boolean;
}

/** LIMIT: of what is looked at of one fluent, and of probes under way at a time. */
export const worldLimits = { cells: 1_000, probes: 16, timeoutMs: 10_000 } as const;

export interface ProbeHow {
  readonly clock: Clock;
  /** Time limit of one probe. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type Seen =
  | { readonly kind: "value"; readonly value: Value; readonly json: Json }
  /** The world has nothing at this key. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly reason: string };

export async function seeCell(probe: LoadedProbe, fluent: Fluent, key: Value, how: ProbeHow): Promise<Seen> {
  const given = toJs(key, fluent.key);
  if (!given.ok) return failed("the probe cannot receive the key exactly");
  const answer = await answerOf(how, (call) => probe.probe(given.value, call));
  if (answer.kind === "failed") return answer;
  if (answer.value === undefined && fluent.value.kind !== "option") return { kind: "nothing" };
  const read = fromJs(answer.value, fluent.value);
  if (!read.ok) return failed(`the probe returned a wrong value: ${read.problems[0]?.message ?? ""}`);
  const json = toJson(read.value);
  if (json === undefined) return failed("the probe returned a number that the kernel cannot store");
  return { kind: "value", value: read.value, json };
}

export type SeenKeys =
  | { readonly kind: "keys"; readonly keys: readonly Value[] }
  | { readonly kind: "failed"; readonly reason: string };

/** All keys that the world has; none for a fluent that cannot tell them. */
export async function seeKeys(probe: LoadedProbe, fluent: Fluent, how: ProbeHow): Promise<SeenKeys> {
  const { keys } = probe;
  if (keys === undefined) return { kind: "keys", keys: [] };
  const answer = await answerOf(how, (call) => keys(call));
  if (answer.kind === "failed") return answer;
  const most = worldLimits.cells;
  if (Array.isArray(answer.value) && answer.value.length > most)
    return failed(`\`keys\` returned more than ${most} keys`);
  const read = fromJs(answer.value, { kind: "list", element: fluent.key });
  if (!read.ok) return failed(`\`keys\` returned a wrong value: ${read.problems[0]?.message ?? ""}`);
  return { kind: "keys", keys: isList(read.value) ? read.value : [] };
}

type Answered =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/** Never rejects: a probe that throws or takes too long has told nothing. */
async function answerOf(how: ProbeHow, ask: (call: unknown) => unknown): Promise<Answered> {
  const over = new AbortController();
  const stop = new AbortController();
  const leave = (): void => over.abort();
  how.signal.addEventListener("abort", leave, { once: true });
  try {
    if (how.signal.aborted) return failed("the run was interrupted");
    const work = (async (): Promise<Answered> => {
      try {
        return { kind: "answered", value: await ask({ signal: stop.signal }) };
      } catch (thrown) {
        return failed(`the probe failed: ${reasonOf(thrown)}`);
      }
    })();
    const late = how.clock.sleep(how.timeoutMs, over.signal).then((): Answered => {
      const why = how.signal.aborted
        ? "the run was interrupted"
        : `the probe took more than ${how.timeoutMs} ms`;
      return failed(why);
    });
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
    over.abort();
    how.signal.removeEventListener("abort", leave);
  }
}

function failed(reason: string): { readonly kind: "failed"; readonly reason: string } {
  return { kind: "failed", reason };
}
