/** Input and output of the prover. */
import type { Guarantee, Path, RecordedRun } from "../ir/index.ts";
import type { Solver, SolverLimits } from "./decide/solver/port.ts";
import type { Interruption } from "./prefix/interruption.ts";
import type { FlowStep } from "./refute/flow-steps.ts";
import type { Obligation, Walk } from "./symbolic/call-events.ts";

export interface ProofLimits extends SolverLimits {
  /** The work that loops may cost, as that of so many milliseconds; of the whole time by default. */
  readonly workMs?: number;
  /** The solver's steps for a question whether what is assumed can be, if they are others than those of a claim. */
  readonly guardResources?: number;
}

export interface ProveOptions {
  /** Asked only for what is not decided without; never called means never loaded. */
  readonly solver: () => Promise<Solver>;
  readonly limits: ProofLimits;
  /** Told of every question before the solver is asked. */
  readonly asking?: (question: Question) => void;
  /** Omits the check of stopping points. */
  readonly stops?: "omitted";
  /**
   * Switches the search for runs off: neither likely values nor short lists are tried. For tests: a run that is found hides
   * a wrong proof, since the proof is then never tried.
   */
  readonly likely?: "omitted";
  /** Ends the guided search for runs early: for callers that need proofs, and take "unknown" as an answer. */
  readonly search?: "short";
}

/** A solver query. */
export interface Question {
  readonly about: Guarantee | Obligation;
  /** The goal itself, a shorter counterexample, the consistency of the assumptions, or a stopping point. */
  readonly purpose: "goal" | "shorter" | "consistency" | "interruption";
  readonly script: string;
}

/** Evidence of a solver's verdict. */
export interface Evidence {
  readonly solver: string;
  readonly version: string;
  readonly limits: SolverLimits;
  /** The SHA-256 of the SMT-LIB script. */
  readonly script: string;
}

export type Verdict =
  | { readonly kind: "proved"; readonly by: "ground" }
  | { readonly kind: "proved"; readonly by: "smt"; readonly evidence: Evidence }
  /** For every number of iterations of its loops; with the evidence for the last step, if a solver made it. */
  | { readonly kind: "proved"; readonly by: "induction"; readonly evidence?: Evidence }
  /** With a run that breaks it, tried on the interpreter, and how data flows in it, if that is what breaks it. */
  | {
      readonly kind: "refuted";
      readonly run: RecordedRun;
      readonly why: string;
      readonly flow?: readonly FlowStep[];
    }
  /** With the place in the program that is in the way, if it is known. */
  | {
      readonly kind: "unknown";
      readonly why: string;
      readonly candidate?: RecordedRun;
      readonly at?: Path;
    };

export interface GuaranteeProof {
  readonly guarantee: Guarantee;
  readonly verdict: Verdict;
  /** Prefix safety of a proved guarantee. */
  readonly interruption?: Interruption;
}

export interface ObligationProof {
  readonly obligation: Obligation;
  readonly verdict: Verdict;
}

export interface Proof {
  readonly guarantees: readonly GuaranteeProof[];
  readonly obligations: readonly ObligationProof[];
  /** The symbolic execution, unless it met something unsupported. */
  readonly walk?: Walk;
}
