/** `lint`: what is wrong with contracts, tools, policies and guarantees that compile, and do not say what was meant. */
import type { RelateOptions } from "../../compare/index.ts";
import { type ExitCode, fine, notSo } from "../exit-code.ts";
import { failureText, problemsToJson, reportFailure, writeJson } from "../failure.ts";
import { Progress } from "../progress.ts";
import { chooseSolver, type SolverName, solverResources } from "../prove/solver-choice.ts";
import { lintPath } from "../relate/lint-path.ts";
import type { PlacedFindings } from "../relate/placed.ts";
import type { Terminal } from "../terminal.ts";
import { visible } from "../text/width.ts";
import { count } from "../text/words.ts";

export interface LintOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
  /** For each question to the solver, in seconds. */
  readonly timeout: number;
  readonly tools?: readonly string[];
  readonly solver: SolverName;
}

export async function lint(
  terminal: Terminal,
  paths: readonly string[],
  options: LintOptions,
): Promise<ExitCode> {
  const json = options.json === true;
  const solver = await chooseSolver(options.solver);
  if (!solver.ok) return reportFailure(terminal, solver.failure, json);
  const progress = new Progress(terminal);
  const found: PlacedFindings[] = [];
  try {
    for (const path of paths) {
      const given: RelateOptions = {
        solver: solver.value.get,
        limits: { timeoutMs: Math.max(1, Math.round(options.timeout * 1000)), resources: solverResources },
        asking: () => progress.waiting(path),
        quick: true,
      };
      const linted = await lintPath(terminal, path, options.tools, given, progress);
      await progress.clear();
      if (!linted.ok) return reportFailure(terminal, linted.failure, json);
      found.push(linted.value);
    }
  } finally {
    await solver.value.close();
  }
  const failures = found.flatMap((one) => one.failures);
  const undecided = found.flatMap((one) => one.undecided);
  const total = failures.reduce((sum, { problems }) => sum + problems.length, 0);
  if (json) {
    const findings = failures.flatMap((failure) => problemsToJson(failure));
    await writeJson(terminal.stdout, { findings, undecided });
    return total === 0 ? fine : notSo;
  }
  const texts = failures.map((failure) => failureText(failure, terminal.stdout));
  const open = options.verbose === true ? undecided.map((one) => `not decided: ${visible(one)}\n`) : [];
  if (open.length > 0) texts.push(open.join(""));
  const looked = `${count(total, "finding")} in ${paths.map(visible).join(", ")}\n`;
  await terminal.stdout.write([...texts, looked].join("\n"));
  return total === 0 ? fine : notSo;
}
