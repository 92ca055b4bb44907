/** `policy check`: what a policy would decide about programs, without asking anyone and without running anything. */

import {
  type AppliedPolicy,
  applyPolicy,
  compileClauses,
  type Failure,
  failuresIn,
  firstFailure,
  folderOf,
  type LoadedPolicy,
  loadPolicy,
  loadRunnable,
  misnamed,
  mountedFor,
  nameProgram,
  optionsFor,
  type ProgramForm,
  policyReport,
  type SolverName,
  SolverPool,
} from "../../../app/index.ts";
import { badInput, type ExitCode, fine, notApproved, notSo } from "../../exit-code.ts";
import { reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { policyText } from "./render.ts";

export interface PolicyCheckOptions {
  readonly json?: boolean;
  /** For each question to the solver, in seconds. */
  readonly timeout: number;
  readonly tools?: readonly string[];
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  readonly solver: SolverName;
}

export async function checkPolicy(
  host: Host,
  file: string,
  programs: readonly string[],
  options: PolicyCheckOptions,
): Promise<ExitCode> {
  const json = options.json === true;
  const misuse = await misnamed(host, [...programs, ...(file === "-" ? ["-"] : [])], options);
  if (misuse !== undefined) return reportFailure(host, misuse, json);
  const policy = await loadPolicy(host, file);
  if (!policy.ok) return reportFailure(host, policy, json);
  const codes: ExitCode[] = [];
  const pool = new SolverPool();
  try {
    const solver = await pool.take(options.solver);
    if (!solver.ok) return await reportFailure(host, solver, json);
    for (const [i, program] of programs.entries()) {
      if (i > 0 && !json) await host.stdout.write("\n");
      codes.push(await checkOne(host, policy.value, program, optionsFor(program, programs, options), pool));
    }
  } finally {
    await pool.close();
  }
  // The worst of them: what cannot be read, then what is not proved, then what is not approved.
  const worst = [badInput, notSo, notApproved] as const;
  return worst.find((code) => codes.includes(code)) ?? fine;
}

async function checkOne(
  host: Host,
  policy: LoadedPolicy,
  given: string,
  options: PolicyCheckOptions,
  pool: SolverPool,
): Promise<ExitCode> {
  const fail = (failure: Failure) => reportFailure(host, failure, options.json === true);
  const named = await nameProgram(host, given, options);
  if (!named.ok) return fail(named);
  const { path, form } = named.value;
  const mounted = await mountedFor(named.value.fs, path, form, options.tools);
  if (!mounted.ok) return fail(mounted);
  const { fs, tools } = mounted.value;
  const program = await loadRunnable({ path, as: form, tools }, { fs });
  if (program.kind !== "loaded") return fail(firstFailure(failuresIn(program)));
  const clauses = await compileClauses(fs, policy, folderOf(path), tools);
  if (!clauses.ok) return fail(clauses);
  const progress = new Progress(host);
  const applied = await applyPolicy(policy.policy, clauses.value, program.loaded, {
    pool,
    solver: options.solver,
    timeoutMs: options.timeout * 1000,
    asking: () => progress.waiting(path),
  });
  await progress.clear();
  if (!applied.ok) return fail(applied);
  if (options.json) await writeJsonLine(host.stdout, policyReport(path, applied.value));
  else await host.stdout.write(policyText(path, applied.value, host.stdout));
  return codeOf(applied.value);
}

/** As `run` would end with this policy. */
function codeOf({ verdict, decision }: AppliedPolicy): ExitCode {
  if (decision === "auto_approved") return fine;
  return verdict === "proved" ? notApproved : notSo;
}
