/**
 * `foreclaim/testing`: for people who write rules and want to see them hold, with any test runner, and for those who write
 * clients of the approval service.
 */
export { type TrialAnswer, type TrialService, trialService } from "./approve/index.ts";
export { expectAllowed, expectBudget, expectRefused } from "./kernel/index.ts";
