/** A kernel on a ledger in memory, for tests. */

import { type FunctionInvariant, Kernel, type KernelOptions } from "../../src/kernel/index.ts";
import { MemoryLedger } from "../../src/ledger/memory.ts";

export interface Opened {
  readonly kernel: Kernel;
  readonly ledger: MemoryLedger;
  readonly clock: { now: number };
}

export async function opened(
  policy: unknown,
  state: unknown = {},
  more: { functions?: readonly FunctionInvariant[]; ledger?: MemoryLedger } & Pick<
    KernelOptions,
    "checkpoint"
  > = {},
): Promise<Opened> {
  const { ledger = new MemoryLedger(), ...rest } = more;
  const clock = { now: 1_000 };
  const result = await Kernel.open({ ledger, policy, state, clock: () => clock.now, ...rest });
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`);
  return { kernel: result.value, ledger, clock };
}

export function usd(limit: number | string) {
  return { usd: { limit } };
}

export function rule(name: string, fields: object, enforcement = "blocking") {
  return { name, enforcement, rule: name, ...fields };
}

export function set(key: string, value: unknown) {
  return { key, op: "set", value };
}

export function act(...effects: readonly object[]) {
  return { id: "act", effects };
}
