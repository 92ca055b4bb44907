/** `policy check`: the decision of a policy about programs. It asks nobody and runs nothing. */

import {
  type AppliedPolicy,
  checkPolicyOn,
  loadPolicy,
  misnamed,
  optionsFor,
  type ProgramForm,
  policyReport,
  SolverPool,
} from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, type ExitCode, fine, notApproved, notSo } from "../../exit-code.ts";
import { reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { policyText } from "./render.ts";

export interface PolicyCheckOptions extends JsonOption, SolverChoice {
  readonly tools?: readonly string[];
  readonly as?: ProgramForm;
}

export async function checkPolicy(
  host: Host,
  file: string,
  programs: readonly string[],
  options: PolicyCheckOptions,
): Promise<Ended> {
  const { json = false, solver, timeout } = options;
  const misuse = await misnamed(host, [...programs, ...(file === "-" ? ["-"] : [])], options);
  if (misuse !== undefined) return misuse;
  const policy = await loadPolicy(host, file);
  if (!policy.ok) return policy;
  const codes = new Set<ExitCode>();
  const pool = new SolverPool();
  try {
    const taken = await pool.take(solver);
    if (!taken.ok) return taken;
    for (const [i, program] of programs.entries()) {
      if (i > 0 && !json) await host.stdout.write("\n");
      const progress = new Progress(host);
      const how = { pool, solver, timeoutMs: timeout * 1000, asking: () => progress.waiting(program) };
      const given = optionsFor(program, programs, options);
      const checked = await checkPolicyOn(host, policy.value, program, given, how);
      await progress.clear();
      if (!checked.ok) codes.add(await reportFailure(host, checked, json));
      else {
        const { path, applied } = checked.value;
        if (json) await writeJsonLine(host.stdout, policyReport(path, applied));
        else await host.stdout.write(policyText(path, applied, host.stdout));
        codes.add(codeOf(applied));
      }
    }
  } finally {
    await pool.close();
  }
  // The worst of them: unreadable, then not proved, then not approved.
  return ([badInput, notSo, notApproved] as const).find((code) => codes.has(code)) ?? fine;
}

/** Returns the exit code of `run` with this policy. */
function codeOf({ verdict, decision }: AppliedPolicy): ExitCode {
  if (decision === "auto_approved") return fine;
  return verdict === "proved" ? notApproved : notSo;
}
