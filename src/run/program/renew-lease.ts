/** Renews the lease of a run while its process lives. */
import { realClock } from "../clock.ts";
import type { ProgramRunOptions } from "./options.ts";

/** A lease is renewed this often before it is over: one renewal may be late or get lost. */
const renewals = 3;

/**
 * Renews until the signal is aborted. A renewal that fails is no reason to stop: the ledger refuses the next call itself, and
 * nobody else begins on the fluents before the run has an outcome.
 */
export async function renewLease(
  { kernel, leaseMs, clock = realClock }: Pick<ProgramRunOptions, "kernel" | "leaseMs" | "clock">,
  reservation: string,
  over: AbortSignal,
): Promise<void> {
  if (leaseMs === undefined) return;
  while (!over.aborted) {
    const held = kernel.inDoubt().find(({ receipt }) => receipt === reservation);
    // A run that began without a lease needs none.
    if (held?.until === undefined) return;
    await kernel.renew(reservation, leaseMs).catch(() => undefined);
    await clock.sleep(Math.ceil(leaseMs / renewals), over);
  }
}
