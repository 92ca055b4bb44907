/** Approval: the decision on a proved program, and the receipts that record it. */
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
export { type Credential, Credentials, credentialName } from "./requests/credentials.ts";
export { openStore, storeFile } from "./requests/open.ts";
export { type LeftRun, RunQueue, type TakenRun } from "./requests/queue.ts";
export type { Found, RequestRecord } from "./requests/record.ts";
export { type Database, StoreUnavailable } from "./requests/sql.ts";
export { RequestStore } from "./requests/store.ts";
export { type ServiceCode, serviceCodes } from "./service/codes.ts";
export { serviceLimits } from "./service/limits.ts";
export {
  type AgentCaller,
  type AgentFace,
  BeginAgain,
  type Log,
  nobodyDecides,
  type Page,
  type PolicyKeeper,
  type PolicyOutcome,
  type Proved,
  type Prover,
} from "./service/ports.ts";
export { readWebhooks, type Webhook } from "./service/read-webhooks.ts";
export { type Service, startService } from "./service/service.ts";
export { type TrialAnswer, type TrialService, trialService } from "./service/trial.ts";
export { unprovedResult } from "./service/unproved-result.ts";
export { openBefore, type Use, type Used, useKey, useReceipt } from "./use-receipt.ts";
export type {
  CounterexampleView,
  CoverageView,
  ErrorBody,
  Filed,
  GuaranteeView,
  ObligationView,
  PolicyView,
  ProblemView,
  Progress,
  ProofView,
  QuestionReply,
  RequestDetail,
  RiskCard,
  RiskLevel,
  Role,
  RuleView,
  RunCall,
  RunQuestion,
  RunView,
  StepView,
  Wire,
} from "./wire.ts";
