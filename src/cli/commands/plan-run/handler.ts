/** `plan run`: the same as `run`, of a plan. */
import type { ExitCode } from "../../exit-code.ts";
import type { Terminal } from "../../terminal.ts";
import { type RunProgramOptions, runProgramFile } from "../run/handler.ts";

export function runPlanFile(terminal: Terminal, file: string, options: RunProgramOptions): Promise<ExitCode> {
  return runProgramFile(terminal, file, { ...options, as: "plan" });
}
