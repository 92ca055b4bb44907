/**
 * The use of a receipt: an entry of the kernel's trace, a reservation under a key that the nonce gives. The kernel takes a
 * key for one action ever, whichever process asks, and an entry is durable before anyone is told; so a nonce that was used
 * stays used, also after a crash. Keys are no part of the state: no action writes one, and no rollback gives one back.
 * The reservation stands for the run: it is settled when that ends, and in doubt for as long as nobody has said that it did.
 * Part of what must be trusted.
 */
import type { PlainJson } from "../ir/index.ts";
import { type Kernel, type Problem, type Reason, readReceipt as readKernelReceipt } from "../kernel/index.ts";
import type { ReceiptProblem } from "./codes.ts";
import { problem, type Receipt, receiptText } from "./receipt.ts";

/** The run that a receipt is used for. */
export interface Use {
  /** No two runs have the same. */
  readonly runId: string;
  /** Keys of the state that nobody else may hold while the run goes on. */
  readonly holds?: readonly string[];
  /** The version of the state that the run was found to be good for. */
  readonly reads?: number;
  /** Further data to record with the use. */
  readonly about?: Readonly<Record<string, PlainJson>>;
  /** Milliseconds until the hold counts as abandoned, unless it is renewed. */
  readonly leaseMs?: number;
}

export type Used =
  /** The kernel's receipt of the reservation, to be settled when the run ends. */
  | { readonly kind: "used"; readonly reservation: string; readonly key: string }
  | { readonly kind: "refused"; readonly problems: readonly ReceiptProblem[] }
  /** The receipt is as good as before: something that the run holds is held by another, or the state has moved on. */
  | { readonly kind: "held" | "moved"; readonly reasons: readonly Pick<Problem, "message">[] };

/** By which the kernel knows the use of that number, from 1. */
export function useKey({ nonce }: Pick<Receipt, "nonce">, number: number): string {
  return number === 1 ? `receipt ${nonce}` : `receipt ${nonce} use ${number}`;
}

/** Rejects only if the ledger fails. The receipt must have been found good: here it is only used up. */
export async function useReceipt(kernel: Kernel, receipt: Receipt, use: Use): Promise<Used> {
  const action = {
    id: `run ${use.runId}`,
    args: { ...use.about, receipt: receiptText(receipt), run: use.runId },
    effects: (use.holds ?? []).map((key) => ({ key, op: "set", value: use.runId })),
    ...(use.reads !== undefined && { reads: use.reads }),
    origin: { run: use.runId, purpose: "run" },
  };
  const before = openBefore(kernel, use, undefined);
  if (before !== undefined) return before;
  for (let number = 1; number <= receipt.uses; number++) {
    const key = useKey(receipt, number);
    const { verdict, reasons, receipt: reservation } = await kernel.reserve(action, key, use.leaseMs);
    if (verdict === "allowed" && reservation !== undefined) {
      const lapsed = openBefore(kernel, use, reservation);
      if (lapsed === undefined) return { kind: "used", reservation, key };
      await kernel.release(reservation, "run cut off" satisfies Reason);
      return lapsed;
    }
    // Settled before, by this very run: a run that has ended does not begin again.
    if (verdict === "allowed" || reasons.some(({ code }) => code === "idempotency-key")) continue;
    if (reasons.every(({ code }) => code === "version")) return { kind: "moved", reasons };
    if (reasons.every(({ code }) => code === "held" || code === "version")) return { kind: "held", reasons };
    const words = reasons.map(({ message }) => message).join("; ");
    return {
      kind: "refused",
      problems: [problem("FC4011", `the kernel refused the use of the receipt: ${words}`)],
    };
  }
  const message =
    receipt.uses === 1
      ? "the receipt covers one run and was already used"
      : `the receipt covers ${receipt.uses} runs, and all of them were made`;
  return { kind: "refused", problems: [problem("FC4010", message, "ask for a new one")] };
}

/**
 * Finds a run that holds a key of this one, has no outcome, and whose hold a lease may have opened to others. SOUNDNESS: a call
 * of that run may be under way, so the state is not what the trace says; only its outcome frees the key. A hold without a
 * lease keeps others out by itself. A run that is resumed asks this too: its process may have died between its entry and
 * this look (`NO_LOOK_ON_RESUME` in proofs/ledger/workers.pml).
 *
 * @param own the reservation of this run, once there is one: only those before it count
 */
export function openBefore(
  kernel: Kernel,
  { holds = [] }: Pick<Use, "holds">,
  own: string | undefined,
): (Used & { readonly kind: "held" }) | undefined {
  const number = own === undefined ? Number.POSITIVE_INFINITY : (readKernelReceipt(own)?.number ?? 0);
  const [first] = kernel
    .reservationsOn(holds)
    .filter(
      ({ receipt, until }) => until !== undefined && (readKernelReceipt(receipt)?.number ?? 0) < number,
    );
  if (first === undefined) return undefined;
  const message = `\`${first.action}\` has no outcome yet, and its reservation \`${first.receipt}\` holds what this one uses`;
  return { kind: "held", reasons: [{ message }] };
}
