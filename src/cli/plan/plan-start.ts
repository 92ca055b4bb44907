/** What a run of a plan needs besides its document, and tells besides its calls. */
import type { PlainJson } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Execution, ProgramRun } from "../../run/index.ts";
import { type ExitCode, notSo } from "../exit-code.ts";
import { type Attempt, attained, failedAttempt, plainFailure } from "../failure.ts";
import type { LoadedProgram } from "../load-program.ts";
import type { Terminal } from "../terminal.ts";

/** The plan room is loaded for plans alone. */
const plans = () => import("../../plan/index.ts");

/** What the kernel of a run begins with that nothing is kept of. */
export async function memoryState(
  terminal: Terminal,
  { plan }: LoadedProgram,
  file: string | undefined,
): Promise<Attempt<{ readonly policy?: object; readonly state?: unknown }>> {
  if (plan === undefined && file !== undefined)
    return failedAttempt(plainFailure("FC9001", "`--state` is for plans", "leave it out"));
  if (plan === undefined) return attained({});
  const policy = { undoSteps: 10_000 };
  if (file === undefined) return attained({ policy });
  const { loadState } = await import("./load-plan.ts");
  const state = await loadState(terminal, file);
  if (!state.ok) return state;
  const { stateToJson } = await plans();
  return attained({ policy, state: stateToJson(state.value) });
}

/** Tells why a plan can go wrong from the state at hand, and is not begun; undefined if it cannot. */
export async function refusedPlan(
  { stdout }: Terminal,
  { plan, file, text, locate }: LoadedProgram,
  kernel: Kernel,
  json: boolean,
): Promise<ExitCode | undefined> {
  if (plan === undefined) return undefined;
  const { verify, stateOf, outputText, verificationToJson } = await plans();
  const { book, warnings } = plan;
  const found = verify(plan.plan, { state: stateOf(kernel), warnings, book });
  if (found.valid) return undefined;
  const { readPlan } = await plans();
  const { verificationText } = await import("./plan-text.ts");
  const read = readPlan(text);
  const loaded = { plan: plan.plan, warnings, locate: read.ok ? read.value.locate : locate, file, text };
  await stdout.write(
    json
      ? outputText({ outcome: "refused", ...asObject(verificationToJson(found)) })
      : `${verificationText(found, loaded, stdout)}nothing was run\n`,
  );
  return notSo;
}

function asObject<T>(json: T): Readonly<Record<string, T>> {
  // SAFETY: a verification is written as an object.
  return json as Readonly<Record<string, T>>;
}

/** How the calls of a plan are carried out. */
export async function carriedOut({ plan }: LoadedProgram): Promise<{ readonly execution?: Execution }> {
  if (plan === undefined) return {};
  const { executionOf } = await plans();
  return { execution: executionOf(plan.plan, plan.lowered, plan.book) };
}

/** What became of the actions, as data. */
export async function planJson(
  { plan }: LoadedProgram,
  run: ProgramRun,
): Promise<Readonly<Record<string, PlainJson>>> {
  if (plan === undefined) return {};
  const { actionRuns, planDigest } = await plans();
  return {
    plan: planDigest(plan.plan),
    actions: actionRuns(plan.plan, plan.lowered, run).map(
      ({ actionId, status, attempts, before, reason, receipt }) => ({
        action_id: actionId,
        status,
        attempts,
        before,
        ...(reason !== undefined && { reason }),
        ...(receipt !== undefined && { receipt }),
      }),
    ),
  };
}
