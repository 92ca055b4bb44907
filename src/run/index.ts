/** Runs of programs that were proved and approved. */

export type { Person, QuestionPlace } from "../toolkit/index.ts";
export {
  type CallInfo,
  type CallProgress,
  Failed,
  Lost,
  NothingDone,
  tried,
  Unanswered,
} from "./attempts.ts";
export {
  cellKey,
  hasMarks,
  isKeptKey,
  type Mark,
  type MarkReason,
  markedBy,
  markOf,
  markWords,
  mergedMarks,
  possibleAt,
  toJson,
  unknownKey,
  unknownMark,
} from "./cells.ts";
export { type Clock, realClock } from "./clock.ts";
export { type RunCode, runCodes } from "./codes.ts";
export { closeConnections, holdConnections } from "./connections.ts";
export { type Effect, effectsOf, jsonAt, settingOf, writtenText } from "./effects.ts";
export { callLimits, undoRetries } from "./limits.ts";
export { type LoadedTool, loadTools, type ToolPlace } from "./load-tools.ts";
export { MockTools } from "./mock/mock-tools.ts";
export { type Mocks, readMocks } from "./mock/mocks-file.ts";
export type { Origin, Purpose } from "./origin.ts";
export type {
  CallExecution,
  Cells,
  Compensation,
  Execution,
  InnerCall,
  InnerDone,
  InnerFailed,
} from "./program/execution.ts";
export type {
  CallRun,
  CallStatus,
  JudgedGuarantee,
  ProgramRun,
  ProgramRunOptions,
  ProgramRunResult,
  ResumeOptions,
  RunProblem,
  RunProgress,
  WorldOptions,
} from "./program/options.ts";
export { resumeProgram, runProgram, startingProblems } from "./program/run-program.ts";
export { isUnderWay, openCalls, type RunOutcome, runOutcome } from "./program/run-status.ts";
export type { ResultSchema } from "./result-schema.ts";
export { type Marking, settleAgain, settleFailed } from "./settle-failed.ts";
export type { CellName, CellState, CellView, WorldModel } from "./world/look.ts";
export { type LoadedProbe, worldLimits } from "./world/probe.ts";
export { type Reconciled, type ReconcileHow, reconcile } from "./world/reconcile.ts";
export type { LookWhen } from "./world/watch.ts";
