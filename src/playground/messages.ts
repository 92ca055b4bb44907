/** Messages between the page and the worker that proves. Both sides have types of their own platform, so this file has none. */
import type { ProofView } from "../approve/wire.ts";

/** A file of the playground: its path from the root, and its text. */
export type TextFile = readonly [path: string, text: string];

/** Addresses of what the worker loads. */
export interface Assets {
  readonly parser: string;
  readonly solver: {
    readonly worker: string;
    readonly script: string;
    readonly wasm: string;
    /** The package and its version. */
    readonly from: string;
  };
}

/** Modules that an earlier worker has compiled; the browser shares it between workers. */
export interface Compiled {
  readonly parser?: object;
  readonly solver?: object;
}

export type ToProver =
  | { readonly kind: "start"; readonly assets: Assets; readonly compiled: Compiled }
  | {
      readonly kind: "prove";
      readonly id: number;
      readonly entry: string;
      readonly files: readonly TextFile[];
    };

export interface ProblemPlace {
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

export interface PlaygroundProblem {
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  readonly place: ProblemPlace | null;
}

export type Outcome =
  | { readonly kind: "proof"; readonly view: ProofView }
  | { readonly kind: "invalid"; readonly problems: readonly PlaygroundProblem[] }
  /** The prover itself failed. */
  | { readonly kind: "failed"; readonly message: string };

export type FromProver =
  | { readonly kind: "ready" }
  | { readonly kind: "compiled"; readonly compiled: Compiled }
  /** The solver is asked for the first time in this proof. */
  | { readonly kind: "asking"; readonly id: number }
  | {
      readonly kind: "done";
      readonly id: number;
      readonly outcome: Outcome;
      /** The output of `foreclaim prove --json`, without its time; null if the prover failed. */
      readonly report: unknown;
      readonly ms: number;
    };

/** LIMITS: of what is proved in a browser. */
export const limits = { files: 30, pathLength: 120, textLength: 200_000 } as const;
