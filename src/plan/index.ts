/** Plans: read an action proposal, verify it, simulate it, compare, optimize and run it. */

export { type PlanCode, planCodes } from "./codes.ts";
export * as car from "./compat/car.ts";
export { planDigest } from "./digest.ts";
export { type Drawn, drawPlan } from "./draw.ts";
export type { Conflict, Finding, Severity, Tier, Verification, Witness } from "./findings.ts";
export { defaultPlanLimits, type PlanLimits } from "./limits.ts";
export { type Lowered, type LowerOptions, lower } from "./lower/lower.ts";
export { type CheckedPlan, checkLowered, provePlan } from "./lower/prove-plan.ts";
export { type Optimization, type OptimizeOptions, optimize } from "./optimize/optimize.ts";
export type { CriticalPath, Proof, Step } from "./optimize/proof.ts";
export {
  carVerificationToJson,
  equivalenceToJson,
  type OutputJson,
  optimizationToJson,
  outputText,
  simulationToJson,
  stateToJson,
  verificationToJson,
} from "./output.ts";
export type { Action, ActionType, Compensation, FailureBehavior, Plan, Precondition, State } from "./plan.ts";
export { type PlanWarning, type ReadPlan, type ReadPlanOptions, readPlan, readState } from "./read.ts";
export { type ActionRun, type ActionStatus, actionRuns } from "./run/actions.ts";
export { executionOf, stateOf } from "./run/execution.ts";
export { runLimits } from "./run/limits.ts";
export { planSchema } from "./schema.ts";
export {
  type Difference,
  type Equivalence,
  type EquivalentOptions,
  equivalent,
} from "./strict/equivalent.ts";
export { type Blocked, type Simulated, type Simulation, simulate } from "./strict/simulate.ts";
export { structureOf } from "./strict/structure.ts";
export { ToolBook, type ToolDeclarations } from "./strict/tool-book.ts";
export { type VerifyOptions, verify } from "./strict/verify.ts";
export { shownValue, writtenText } from "./values.ts";
