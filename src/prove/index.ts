/** The prover: each guarantee of a checked document is proved for every run, refuted by one, or unknown with a reason. */
export { certify } from "./certify/certify.ts";
export { replayerOf } from "./certify/replayer.ts";
export type { Solver, SolverLimits } from "./decide/solver/port.ts";
export type { Interruption, StoppingPoint } from "./prefix/interruption.ts";
export { holdsBefore } from "./prefix/monotone.ts";
export { prove } from "./prove.ts";
export type { FlowStep } from "./refute/flow-steps.ts";
export type { Fact, Obligation } from "./symbolic/call-events.ts";
export type { Symbolic } from "./symbolic/symbolic-value.ts";
export { printSymbolic, printTerm } from "./terms/print-term.ts";
export type { Term } from "./terms/term.ts";
export type { GuaranteeProof, ObligationProof, Proof, ProveOptions, Question, Verdict } from "./verdict.ts";
