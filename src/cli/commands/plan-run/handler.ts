/** `plan run`: the same as `run`, of a plan. */
import type { ExitCode } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type RunProgramOptions, runProgramFile } from "../run/handler.ts";

export function runPlanFile(host: Host, file: string, options: RunProgramOptions): Promise<ExitCode> {
  return runProgramFile(host, file, { ...options, as: "plan" });
}
