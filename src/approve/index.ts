/** What decides whether a proved program may run, and the receipts that say that it was approved. */

export { type Charged, chargeLimits, type LimitUsedUp } from "./charge-limits.ts";
export { type Asked, inputsDigest, receiptProblems } from "./check-receipt.ts";
export { type ApproveCode, approveCodes, type ReceiptProblem } from "./codes.ts";
export { fingerprint } from "./keys.ts";
export { limitArgument } from "./limit-clause.ts";
export { receiptLimits } from "./limits.ts";
export {
  type AskedClause,
  type ClauseFinding,
  type ClauseVerdict,
  counts,
  decide,
  type FoundClause,
  type LimitCharge,
  limitClause,
  limitPeriods,
  openClauses,
  type Policy,
  type PolicyDecision,
  type PolicyLimit,
  type PolicyRule,
  type RuleDecision,
  type RuleFinding,
  stopText,
} from "./policy.ts";
export { policyLimits, type ReadPolicy, readPolicy } from "./read-policy.ts";
export {
  type Approval,
  type Grant,
  newNonce,
  type ReadReceipt,
  type Receipt,
  readReceipt,
  receiptText,
  signatureProblem,
  signReceipt,
} from "./receipt.ts";
export { type ServiceCode, serviceCodes } from "./service/codes.ts";
export { type Use, type Used, useKey, useReceipt } from "./use-receipt.ts";
