/**
 * Reserve, run, settle: for actions with effects in the world. A handler that fails may have had its effect or not;
 * so its reservation stays in doubt, unless it is known that nothing happened.
 */
import type { Problem } from "../problem.ts";
import type { Reason } from "../reasons.ts";
import type { Outcome } from "./outcome.ts";

export interface PerformOptions<T> {
  /** The same key means the same action: it is done at most once. */
  readonly key?: string;
  /** Attestations of the action. */
  readonly attestations?: unknown;
  /** Actual cost, at most the reservation; defaults to the whole reservation. */
  readonly cost?: (result: T) => unknown;
  /** Part of the result that the trace records. */
  readonly outcome?: (result: T) => unknown;
  /** `release` is for handlers that do everything or nothing. */
  readonly whenItFails?: "stay in doubt" | "release";
}

/** Thrown by a handler to say that nothing happened in the world. */
export class NotDone extends Error {
  override readonly name = "NotDone";
}

export type Performed<T> =
  | { readonly kind: "done"; readonly result: T; readonly outcome: Outcome }
  /** Done before under the same key; the handler was not called. */
  | { readonly kind: "done before"; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly reasons: readonly Problem[]; readonly outcome: Outcome }
  | { readonly kind: "released"; readonly error: unknown; readonly outcome: Outcome }
  /** The handler failed, or it is done and could not be settled. */
  | {
      readonly kind: "in doubt";
      readonly receipt: string;
      readonly error?: unknown;
      readonly reasons: readonly Problem[];
      /** The handler's result, if it returned one. */
      readonly result?: T;
    };

interface Reserver {
  reserve(action: unknown, key?: string, leaseMs?: number, attestations?: unknown): Promise<Outcome>;
  settle(receipt: string, how?: { cost?: unknown; outcome?: unknown }): Promise<Outcome>;
  release(receipt: string, reason: string): Promise<Outcome>;
}

export async function perform<T>(
  kernel: Reserver,
  action: unknown,
  handler: (receipt: string) => T | Promise<T>,
  options: PerformOptions<T> = {},
): Promise<Performed<T>> {
  const reserved = await kernel.reserve(action, options.key, undefined, options.attestations);
  if (reserved.verdict === "refused")
    return { kind: "refused", reasons: reserved.reasons, outcome: reserved };
  const { receipt } = reserved;
  if (receipt === undefined) return { kind: "done before", outcome: reserved };
  let result: T;
  try {
    result = await handler(receipt);
  } catch (error) {
    if (!(error instanceof NotDone) && options.whenItFails !== "release") {
      return { kind: "in doubt", receipt, error, reasons: [] };
    }
    try {
      const outcome = await kernel.release(receipt, "handler failed" satisfies Reason);
      if (outcome.verdict === "allowed") return { kind: "released", error, outcome };
      return { kind: "in doubt", receipt, error, reasons: outcome.reasons };
    } catch {
      // The ledger cannot be reached; why the handler failed is what the caller must hear.
      return { kind: "in doubt", receipt, error, reasons: [] };
    }
  }
  try {
    const settled = await kernel.settle(receipt, {
      ...(options.cost === undefined ? {} : { cost: options.cost(result) }),
      ...(options.outcome === undefined ? {} : { outcome: options.outcome(result) }),
    });
    if (settled.verdict === "allowed") return { kind: "done", result, outcome: settled };
    return { kind: "in doubt", receipt, reasons: settled.reasons, result };
  } catch (error) {
    // It has happened in the world: the caller must get the receipt, whatever went wrong here.
    return { kind: "in doubt", receipt, error, reasons: [], result };
  }
}
