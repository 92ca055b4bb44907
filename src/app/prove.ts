/** Proves a program: the second stage. */
import type { Checked, Result } from "../ir/index.ts";
import { type Proof, type ProveOptions, prove as proveDocument, type Question } from "../prove/index.ts";
import type { Failure } from "./failure.ts";
import type { Loaded } from "./load.ts";
import { coverageOfTarget, type TargetCoverage } from "./prove/coverage.ts";
import { type SolverName, type SolverPool, solverResources } from "./prove/solver-pool.ts";
import { type ProgramVerdict, verdictOf } from "./report/verdict.ts";
import { mustBe, type Stage, stamp } from "./stage.ts";

export interface ProveHow {
  /** Solvers that the caller keeps warm between proofs, and closes. */
  readonly pool: SolverPool;
  /** The default is `z3`, which the package brings along. */
  readonly solver?: SolverName | undefined;
  /** The limit for each question to the solver. */
  readonly timeoutMs: number;
  /** The limit for the memory of one question. */
  readonly memoryMb?: number;
  /** Hears of each question before the solver is asked. */
  readonly asking?: (about: "proof" | "coverage", question: Question) => void;
}

/** A program with its verdicts and its coverage. Only a verdict of `proved` can be approved. */
export type Proved<L extends Loaded = Loaded> = ProvedParts<L> & Stage<"proved">;

interface ProvedParts<L extends Loaded> {
  readonly loaded: L;
  readonly document: L["document"];
  readonly proof: Proof;
  readonly coverage: TargetCoverage;
  readonly verdict: ProgramVerdict;
  /** The guarantees, by position, that also hold if a run stops early. A run keeps to them call by call. */
  readonly prefixSafe: ReadonlySet<number>;
}

/** Fails only where the solver that was asked for is not available. */
export function prove<L extends Loaded>(loaded: L, how: ProveHow): Promise<Result<Proved<L>, Failure>> {
  mustBe("loaded", loaded);
  return withProver(how, async (options) => {
    const { document } = loaded;
    const proof = await proveLoaded(document, {
      ...options,
      asking: (question) => how.asking?.("proof", question),
    });
    const coverage = await coverageOfTarget(document, proof, {
      ...options,
      asking: (question) => how.asking?.("coverage", question),
    });
    return stamp("proved", {
      loaded,
      document,
      proof,
      coverage,
      verdict: verdictOf(proof),
      prefixSafe: prefixSafeIn(proof),
    });
  });
}

/** Lends a solver of the pool, as the rooms of the prover take it. */
export function withProver<T>(
  { pool, solver = "z3", timeoutMs, memoryMb }: ProveHow,
  work: (options: ProveOptions) => Promise<T>,
): Promise<Result<T, Failure>> {
  const limits = {
    timeoutMs: Math.max(1, Math.round(timeoutMs)),
    resources: solverResources,
    ...(memoryMb !== undefined && { memoryMb }),
  };
  return pool.using(solver, ({ get }) => work({ solver: get, limits }));
}

/**
 * Proves a document. A plan knows more of its runs than its document says.
 *
 * @param checked the document, or the same with further guarantees
 */
export async function proveLoaded(
  document: Loaded["document"],
  options: ProveOptions,
  checked: Checked = document.checked,
): Promise<Proof> {
  const plan = "plan" in document ? document.plan : undefined;
  if (plan === undefined) return proveDocument(checked, options);
  const { provePlan } = await import("../plan/index.ts");
  return provePlan(plan.lowered, checked, options);
}

function prefixSafeIn({ guarantees }: Proof): ReadonlySet<number> {
  return new Set(
    guarantees.flatMap(({ verdict, interruption }, i) =>
      verdict.kind === "proved" && interruption?.kind === "safe" ? [i] : [],
    ),
  );
}
