/**
 * The answers for agents. An agent that asked for a run learns its status, its result and notes, and which tools were
 * called how often. Arguments, tool results and texts of failures are for those who may read the trace.
 */
import { isBuiltin } from "../../ir/index.ts";
import type { Failure } from "../failure.ts";
import { invalidReport, type ProblemReport, type ProofReport, problemReports, runReport } from "../report.ts";
import type { Finished } from "../run.ts";

export type Verdict = ProofReport["verdict"];

export type ProveAnswer = {
  readonly verdict: Verdict;
  readonly guarantees: ProofReport["guarantees"];
  /** Requirements of tools that are not proved. */
  readonly obligations: ProofReport["obligations"];
  readonly errors: readonly ProblemReport[];
  /** The next steps, in the order of the findings. */
  readonly fixes: readonly Fix[];
  readonly coverage: ProofReport["coverage"];
  readonly hash?: string;
  readonly why?: string;
};

export type Fix = {
  /** The code of an error, or the name of a guarantee. */
  readonly about: string;
  readonly text: string;
  readonly line?: number;
};

export type RunStatus =
  | "done"
  | "stopped"
  | "in doubt"
  | "not proved"
  | "rejected"
  | "pending"
  | "running"
  | "failed";

export type RunAnswer = {
  readonly verdict: Verdict;
  readonly status: RunStatus;
  readonly result?: unknown;
  readonly notes?: readonly string[];
  readonly calls: readonly { readonly tool: string; readonly count: number }[];
  readonly receipt: { readonly id: string; readonly decision: string; readonly by: string } | null;
  /** Names the run for `wait`. */
  readonly request?: string;
  /** The page on which a person decides. */
  readonly address?: string;
  /** Why it was not run, or the code of what stopped it. */
  readonly reason?: string;
};

export function proveAnswer(report: ProofReport): ProveAnswer {
  const { verdict, guarantees, errors, coverage, hash, why } = report;
  const obligations = report.obligations.filter((one) => one.verdict !== "proved");
  return {
    verdict,
    guarantees,
    obligations,
    errors,
    fixes: fixesFor(report),
    coverage,
    ...(hash !== undefined && { hash }),
    ...(why !== undefined && { why }),
  };
}

export function invalidAnswer(file: string, failures: readonly Failure[]): ProveAnswer {
  return proveAnswer(invalidReport(file, failures, 0));
}

/** The answer for a proof that took too long, or whose process ended. */
export function givenUpAnswer(why: string): ProveAnswer {
  const fixes = [
    { about: "program", text: "write it in a simpler way: fewer cases, a bound, a check before the call" },
  ];
  return { verdict: "unknown", guarantees: [], obligations: [], errors: [], fixes, coverage: [], why };
}

function fixesFor({ errors, obligations, coverage }: ProofReport): readonly Fix[] {
  const compile = errors.flatMap(({ code, help, span }) =>
    help === undefined ? [] : [{ about: code, text: help, ...(span && { line: span.start.line }) }],
  );
  const guard = obligations
    .filter((one) => one.verdict !== "proved")
    .map(({ text, line }) => ({
      about: "obligation",
      text: `put a condition before the call, so that ${text}`,
      ...(line !== null && { line }),
    }));
  const state = coverage.flatMap(({ domain, missingRequired, missingRecommended }) =>
    [...missingRequired, ...missingRecommended].map((one) => ({
      about: domain,
      text: `add \`${one}\` to \`guarantees\``,
    })),
  );
  return [...compile, ...guard, ...state];
}

/** A run that did not begin. */
export function notRun(verdict: Verdict, status: RunStatus, reason: string): RunAnswer {
  return { verdict, status, calls: [], receipt: null, reason };
}

/** The answer for a failure of the machine or of the inputs: its code, and the message only if it is about the agent's own words. */
export function failedRun(verdict: Verdict, failure: Failure, own: boolean): RunAnswer {
  const [problem] = problemReports([failure]);
  const reason = own ? `${problem?.code}: ${problem?.message}` : (problem?.code ?? "");
  return notRun(verdict, "failed", reason);
}

export function runAnswer(finished: Finished, receipt: NonNullable<RunAnswer["receipt"]>): RunAnswer {
  if (finished.kind === "refused")
    return { ...notRun("proved", "stopped", finished.problems[0]?.code ?? ""), receipt };
  if (finished.kind === "cut off") return { ...failedRun("proved", finished.failure, false), receipt };
  const { run } = finished;
  const { result, notes } = runReport(run);
  const counts = new Map<string, number>();
  for (const { tool, status } of run.calls)
    if (status !== "not done" && !isBuiltin(tool)) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const [problem] = run.problems;
  return {
    verdict: "proved",
    status: run.kind,
    ...(result !== undefined && { result }),
    notes,
    calls: Array.from(counts, ([tool, count]) => ({ tool, count })),
    receipt,
    ...(run.kind !== "done" && problem !== undefined && { reason: problem.code }),
  };
}
