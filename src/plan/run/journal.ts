/** What the trace says of a run of a plan: what its actions came to, before this process and in it. */
import { isJsonObject, type Json } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Origin } from "../../run/index.ts";
import { type Kept, type Marked, readTrace } from "../../run/index.ts";
import { endKey, readKey } from "./identity.ts";

export type { Kept, Marked, Step } from "../../run/index.ts";

/** What there is of one action. */
export interface Recorded {
  readonly last: Kept;
  /** How often it was reserved, and nothing came of it. */
  readonly releases: number;
}

export interface Journal {
  /** By the names that the kernel has for actions. */
  readonly actions: ReadonlyMap<string, Recorded>;
  /** The reservations of the run by their keys, and those that make up for steps of it. */
  readonly kept: ReadonlyMap<string, Kept>;
  /** What the run has marked as not known, the oldest first. */
  readonly marked: readonly Marked[];
  /** The digest of another plan that was run under this name. */
  readonly otherPlan: string | undefined;
}

/** From an entry on before which there is nothing of the run. */
export async function readJournal(
  kernel: Kernel,
  digest: string,
  runId: string,
  from: number,
): Promise<Journal> {
  let otherPlan: string | undefined;
  const isOfPlan = (plan: string): boolean => {
    if (plan !== digest) otherPlan = plan;
    return plan === digest;
  };
  const owns = ({ run, plan }: Origin): boolean => run === runId && plan !== undefined && isOfPlan(plan);
  const ownedThen = (key: string): boolean => {
    if (key === endKey(digest, runId)) return true;
    const read = readKey(key);
    return read?.runId === runId && isOfPlan(read.digest);
  };
  const { kept, marked } = await readTrace(kernel, { mentions: runId, owns, ownedThen }, from);
  const actions = new Map<string, Recorded>();
  for (const last of kept.values()) {
    const name = actionOf(last);
    if (name === undefined) continue;
    const releases = (actions.get(name)?.releases ?? 0) + (last.status === "released" ? 1 : 0);
    actions.set(name, { last, releases });
  }
  return { actions, kept, marked, otherPlan };
}

/** Which action a reservation is of, as the kernel calls it; by its key in entries of the first form. */
function actionOf({ key, origin }: Kept): string | undefined {
  if (origin === undefined) return readKey(key)?.name;
  return origin.purpose === "call" ? origin.call : undefined;
}

/** What an action came to, by what was kept when it was settled. */
export type Ending =
  | {
      readonly kind: "done";
      readonly output: Json | undefined;
      /** Whether it may have happened more than once. */
      readonly again?: true;
    }
  | { readonly kind: "failed"; readonly message: string };

/** One that a person settled may say anything, and then there is no output. */
export function endingOf(outcome: Json | undefined): Ending {
  if (outcome === undefined || !isJsonObject(outcome)) return { kind: "done", output: undefined };
  const { failed, output, again } = outcome;
  if (typeof failed === "string") return { kind: "failed", message: failed };
  return { kind: "done", output, ...(again === true && { again }) };
}

export function outcomeOf(ending: Ending, attempts: number): Readonly<Record<string, unknown>> {
  if (ending.kind === "failed") return { failed: ending.message, attempts };
  return ending.output === undefined ? { attempts } : { output: ending.output, attempts };
}
