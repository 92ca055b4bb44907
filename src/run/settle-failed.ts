/** Settles a failed call, which may have had its effect: from the same entry on, the cells that it may have set are unknown. */
import type { Json } from "../ir/index.ts";
import type { Kernel, Problem } from "../kernel/index.ts";
import type { Origin } from "./origin.ts";

/** A kernel action that marks cells as unknown. */
export interface Marking {
  readonly id: string;
  readonly effects: readonly { readonly key: string; readonly op: "set"; readonly value: Json }[];
  readonly origin: Origin;
}

/** Settles the reservation of the call without its effects. Gives why that could not be done. */
export function settleFailed(
  kernel: Kernel,
  receipt: string,
  outcome: object,
  marking: Marking,
): Promise<string | undefined> {
  return settleMarked(kernel, receipt, { drop: true, outcome }, marking);
}

/** The same with its effects, of a call that may have happened more than once. */
export function settleAgain(
  kernel: Kernel,
  receipt: string,
  outcome: object,
  marking: Marking,
): Promise<string | undefined> {
  return settleMarked(kernel, receipt, { outcome }, marking);
}

async function settleMarked(
  kernel: Kernel,
  receipt: string,
  settling: { readonly drop?: true; readonly outcome: object },
  marking: Marking,
): Promise<string | undefined> {
  const what = settling.drop === true ? "it failed" : "it is done";
  const isNeeded = marking.effects.length > 0;
  // A mark that the call would have removed is held by its own reservation, which ends first.
  const isOwn = ({ reason, args }: Problem) => reason === "held key" && args.receipt === receipt;
  const against = isNeeded ? kernel.evaluate(marking).reasons.filter((one) => !isOwn(one)) : [];
  if (against.length > 0) return `${what}, and what it may have set could not be marked: ${words(against)}`;
  // What is asked for in one moment is committed in one transaction.
  const [settled, marked] = await Promise.all([
    kernel.settle(receipt, settling),
    isNeeded ? kernel.execute(marking) : undefined,
  ]);
  if (settled.verdict === "refused")
    return `${what}, and the kernel did not take that: ${words(settled.reasons)}`;
  if (marked?.verdict === "refused")
    return `${what}, and what it may have set is not marked: ${words(marked.reasons)}`;
  return undefined;
}

function words(reasons: readonly Problem[]): string {
  return reasons.map(({ message }) => message).join("; ") || "no reason given";
}
