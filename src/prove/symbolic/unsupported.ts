/** Turns unsupported constructs into unknown verdicts with a reason. Part of what must be trusted. */
import { LimitReached } from "../../ir/index.ts";
import type { Verdict } from "../verdict.ts";
import { NotFollowed } from "./call-events.ts";

export type Followed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

export function follow<T>(work: () => T): Followed<T> {
  try {
    return { ok: true, value: work() };
  } catch (thrown) {
    return whyNot(thrown);
  }
}

export async function followLater<T>(work: () => Promise<T>): Promise<Followed<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return whyNot(thrown);
  }
}

function whyNot(thrown: unknown): { readonly ok: false; readonly why: string } {
  if (thrown instanceof NotFollowed) return { ok: false, why: `${thrown.message} is not supported` };
  if (thrown instanceof LimitReached) return { ok: false, why: thrown.message };
  throw thrown;
}

export function notFollowed(why: string): Verdict {
  return { kind: "unknown", why };
}
