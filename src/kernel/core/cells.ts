/**
 * Observations of cells: keys that the effects of tools set, which the policy need not name. The observer names them, and
 * the version of the state that it compared with. Part of what must be trusted.
 */
import type { Num } from "../../ir/index.ts";
import { get } from "../trie.ts";
import type { Observe } from "./command.ts";
import { type Check, violated } from "./invariant.ts";
import type { Probe } from "./policy.ts";
import type { KernelState } from "./state.ts";

const exactly: Num = 0n;

/** The keys that an observation is about: those of a probe of the policy, or its own. */
export function probeOf({ policy }: KernelState, { probe, cells }: Observe): Probe | undefined {
  return cells === undefined
    ? policy.probes.get(probe)
    : { name: probe, keys: cells.keys, threshold: exactly };
}

/**
 * Says why an observation of cells tells nothing; undefined if it does. SOUNDNESS: while a call is under way, or once the
 * state has moved on, a difference between state and world is no drift.
 */
export function cellsProblem(state: KernelState, { probe, cells }: Observe): Check | undefined {
  if (cells === undefined) return undefined;
  const { keys, reads } = cells;
  const stray = keys.find((key) => !isCellOf(probe, key));
  if (stray !== undefined) return violated("probe", "not of the probe", { key: stray });
  if (reads !== state.version)
    return violated("version", "made for another version", { reads, version: state.version });
  for (const key of keys) {
    const receipt = get(state.held, key);
    if (receipt !== undefined) return violated("held", "held key", { key, receipt });
  }
  return undefined;
}

/** `home.locked[front]`, or the mark that it is not known. */
function isCellOf(fluent: string, key: string): boolean {
  const cell = key.startsWith(marked) ? key.slice(marked.length) : key;
  return (cell.startsWith(`${fluent}[`) && cell.endsWith("]")) || (cell === fluent && cell !== key);
}

const marked = "unknown ";
