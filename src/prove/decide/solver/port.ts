/**
 * The solver as a port: text in, text out. The prover writes SMT-LIB, a backend answers, and nothing of the prover
 * knows which backend it was. What must be trusted is that `unsat` is true; `sat` is replayed, `unknown` is no success.
 */
import type { Ratio } from "../../../ir/index.ts";

export interface Solver {
  readonly name: string;
  /** The version of what answers, for evidence. Rejects with a `SolverUnavailable` when nothing does. */
  version(): Promise<string>;
  /** Never rejects on account of the script or the solver: what goes wrong is `unknown`, and says why. */
  check(script: Script, limits: SolverLimits): Promise<SolverAnswer>;
  /** Stops everything; checks under way, and later ones, are answered `unknown`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Script {
  /**
   * Declarations and assertions in printable ASCII, without options and without questions such as `(check-sat)`.
   * It may set its logic; without one, all theories are available.
   */
  readonly text: string;
  /** Terms to evaluate if the assertions are satisfiable. */
  readonly values: readonly Wanted[];
}

export interface Wanted {
  /** The key in the model. */
  readonly name: string;
  readonly sort: Sort;
  /**
   * The term to evaluate in the model; by default the constant `name`, as it is written in the script. A constant
   * always has a value, while a solver may leave a compound term as it is, which is then undecodable.
   */
  readonly term?: string;
}

export type Sort = "Bool" | "Int" | "Real" | "String";

export interface SolverLimits {
  /** Wall time once a solver is ready for this script; waiting for one and starting it are not counted. */
  readonly timeoutMs: number;
  /** A count of the solver's own steps: with the same solver, a script has the same answer on every machine. */
  readonly resources: number;
  readonly memoryMb?: number;
  /** Told how many of the resources the script took, by a solver that counts them. */
  readonly used?: (resources: number) => void;
  /** Gives up on the script, for one whose answer is no longer needed. */
  readonly signal?: AbortSignal;
}

export type SolverAnswer =
  | { readonly kind: "unsat" }
  | { readonly kind: "sat"; readonly model: Model; readonly undecodable: ReadonlyMap<string, string> }
  | { readonly kind: "unknown"; readonly reason: UnknownReason; readonly detail: string };

/** Exact values only; what has none (an irrational number, say) is in `undecodable` as the solver wrote it. */
export type Model = ReadonlyMap<string, Scalar>;
export type Scalar = boolean | bigint | Ratio | string;

export type UnknownReason =
  | "timeout"
  | "resources"
  | "incomplete"
  | "memory"
  | "crashed"
  | "error"
  | "cancelled";

/** There is no solver to ask: absent, too old, or not a solver. The message is meant for users. */
export class SolverUnavailable extends Error {
  readonly help: string;
  constructor(message: string, help: string) {
    super(message);
    this.name = "SolverUnavailable";
    this.help = help;
  }
}

/** LIMIT: what one script may use where the caller does not say; a WebAssembly solver has 2048 in all. */
export const defaultMemoryMb = 1000;

export function unknown(reason: UnknownReason, detail: string): SolverAnswer {
  return { kind: "unknown", reason, detail };
}
