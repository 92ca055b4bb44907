/** Runs of programs that were proved and approved. */
export type { CallInfo, CallProgress } from "./attempts.ts";
export type { Clock } from "./clock.ts";
export { type RunCode, runCodes } from "./codes.ts";
export { type LoadedTool, loadTools, type ToolPlace } from "./load-tools.ts";
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
} from "./program/options.ts";
export { resumeProgram, runProgram, startingProblems } from "./program/run-program.ts";
