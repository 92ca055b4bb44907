/** The checker of certificates, on its own: nothing of the front end or of the prover is behind it. */
export { type Stated, togetherScript } from "./batch.ts";
export {
  type Certificate,
  type CertifiedObligation,
  certificateText,
  readCertificate,
  solverLimits,
} from "./certificate.ts";
export {
  type Checking,
  type CheckOptions,
  type CheckProblem,
  certifiedGuarantee,
  certifiedScript,
  checkCertificate,
  type Replayer,
  trusts,
} from "./check.ts";
export { type CheckCode, checkCodes } from "./codes.ts";
export type { Terms } from "./encode.ts";
export { invariantNames, invariantTypes, mostInvariants } from "./invariant.ts";
export { type Obligation, type Translated, translate } from "./obligations.ts";
export type { Invariants, Met } from "./symbolic-executor.ts";
export type { TotalType } from "./totals.ts";
