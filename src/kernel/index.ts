/** The safety kernel: decides, step by step, whether an action may happen, and records what happened. */
export {
  type Attestation,
  actionDigest,
  attestationOfText,
  attestationText,
  attestationValue,
  isAttestedBy,
  type Statement,
  signAttestation,
} from "./attestation.ts";
export { type Action, decodeAction, type Tariff } from "./core/action.ts";
export type { BudgetTexts } from "./core/budget.ts";
export {
  type Command,
  type CommandKind,
  commandKinds,
  commandOfBody,
  decodeCommand,
} from "./core/command.ts";
export { type Decision, reasonsOf } from "./core/decision.ts";
export type { Effect, Operation } from "./core/effects.ts";
export type { CheckFunction, FunctionInvariant, StateView } from "./core/function.ts";
export type { Check, Enforcement, Invariant } from "./core/invariant.ts";
export { decodePolicy, type Emergency, type Policy, type Probe } from "./core/policy.ts";
export { localPrincipal } from "./core/principal.ts";
export { readReceipt, reservationReceipt, stepReceipt } from "./core/receipt.ts";
export { type KernelState, rootOf, type Stopped } from "./core/state.ts";
export { decide } from "./core/step.ts";
export type { Isolated } from "./isolated.ts";
export { limits as kernelLimits } from "./limits.ts";
export { codes as kernelCodes, type Decoded, type KernelCode, type Problem, problem } from "./problem.ts";
export {
  type Arg,
  type Args,
  type Nothing,
  type Reason,
  reasons as kernelReasons,
  saidIn,
  sentenceOf,
  why,
} from "./reasons.ts";
export { readyRules } from "./rules/index.ts";
export { type Compensated, undoKey } from "./shell/compensate.ts";
export { LedgerBroken } from "./shell/follow.ts";
export { type GuardOptions, GuardRefused, guard } from "./shell/guard.ts";
export {
  type AttestationRequest,
  type CheckpointOptions,
  Kernel,
  type KernelOptions,
} from "./shell/kernel.ts";
export { type Log, MemoryLog, type StoredSnapshot } from "./shell/log.ts";
export {
  type Evaluation,
  type InDoubtReservation,
  type Outcome,
  type PrincipalStatus,
  type ShareTexts,
  type Status,
  statusOf,
} from "./shell/outcome.ts";
export { NotDone, type Performed, type PerformOptions, perform } from "./shell/perform.ts";
export { CredentialMissing } from "./shell/queue.ts";
export { expectAllowed, expectBudget, expectRefused } from "./shell/testing.ts";
export { step } from "./step.ts";
export {
  type Checkpoint,
  checkpointText,
  isSignedBy,
  newKeys,
  readCheckpoint,
  signCheckpoint,
} from "./trace/checkpoint.ts";
export { type Entry, type Step, seal } from "./trace/entry.ts";
export { decodeInitial, openKernel } from "./trace/open.ts";
export { type StoredEntry, wordsOfCheck } from "./trace/read.ts";
export { type Verification, Verifier, type VerifyOptions, verify } from "./trace/verify.ts";
export { entriesOf } from "./trie.ts";
export { argText } from "./values/args.ts";
export { canonicalText, textOf } from "./values/canonical.ts";
export { decodeValue } from "./values/decode.ts";
