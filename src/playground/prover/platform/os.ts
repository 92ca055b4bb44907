/** The part of `node:os` that the prover uses, in a browser. */

// The types of this file are those of Node, which knows no `hardwareConcurrency` before its version 21.
declare const navigator: { readonly hardwareConcurrency?: number };

/** LIMIT: each engine of the solver reserves 2 GB of addresses, and a browser has few. */
export function availableParallelism(): number {
  return Math.min(2, Math.max(1, navigator.hardwareConcurrency ?? 1));
}
