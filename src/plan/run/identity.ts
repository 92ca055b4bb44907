/**
 * Names that are the same whenever the same is meant: of a plan by its content, and of an action in a run of it. What
 * happens twice under one name happened once.
 */
import { sha256Hex } from "../../ir/index.ts";
import type { Origin, Purpose } from "../../run/index.ts";
import type { Plan } from "../plan.ts";
import { valueText } from "../values.ts";

/** Of everything that the plan says, whatever the order of fields and the spelling of numbers. */
export function planDigest({ json }: Plan): string {
  return sha256Hex(`foreclaim plan 1\n${valueText(json)}`);
}

/** The idempotency key of an action in a run, for its tool. */
export function actionKey(digest: string, runId: string, actionId: string): string {
  return reservationKey(digest, runId, actionId, 0);
}

/** Under which the kernel knows it: one that it was released from is not used again. */
export function reservationKey(digest: string, runId: string, actionId: string, releases: number): string {
  const again = releases === 0 ? "" : ` again ${releases}`;
  return `plan ${digest} run ${runId}${again} action ${kernelName(actionId)}`;
}

/** Under which it is kept that the run has ended early, so that it is only taken back from then on. */
export function endKey(digest: string, runId: string): string {
  return `plan ${digest} run ${runId} ended`;
}

export interface OwnKey {
  readonly digest: string;
  readonly runId: string;
  /** As the kernel calls the action. */
  readonly name: string;
}

/** What a key speaks of, for entries of the first form; undefined if it is none of ours. */
export function readKey(key: string): OwnKey | undefined {
  const match = /^plan ([0-9a-f]{64}) run (\S+)(?: again [0-9]+)? action (.+)$/s.exec(key);
  if (match === null) return undefined;
  const [, digest = "", runId = "", name = ""] = match;
  return { digest, runId, name };
}

/** The key under which the charge of a call is kept, while it is found out whether it can be taken back. */
export function chargeKey(stepReceipt: string): string {
  return `kept charge of ${stepReceipt}`;
}

export function isRunId(text: string, most: number): boolean {
  return text.length <= most && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
}

/** LIMIT: a kernel takes 512 code units for a name, and no half of a surrogate pair. */
const longest = 300;

export function kernelName(id: string): string {
  const isPlain = id !== "" && id.length <= longest && !/\p{Cs}/u.test(id);
  return isPlain ? id : `#${sha256Hex(JSON.stringify(id))}`;
}

/** What an action of the kernel is asked for. */
export function originOf(
  { digest, runId }: { readonly digest: string; readonly runId: string },
  { id }: { readonly id: string },
  purpose: Purpose,
  more: Pick<Origin, "attempt" | "step"> = {},
): Origin {
  return { plan: digest, run: runId, purpose, call: kernelName(id), ...more };
}
