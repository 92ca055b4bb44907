/** Everything that can be refused before anything happens. */
import { quoted } from "../../ir/index.ts";
import { isKeptKey } from "../../run/index.ts";
import type { Finding } from "../findings.ts";
import { type Action, keyOf, type Plan, type State } from "../plan.ts";
import { type Structure, structureOf } from "../strict/structure.ts";
import { verify } from "../strict/verify.ts";
import { compensationProblems } from "./compensation.ts";
import { isRunId } from "./identity.ts";
import { runDefaults, runLimits } from "./limits.ts";
import type { RunPlanOptions, RunPlanResult, RunProblem } from "./options.ts";

export type Prepared =
  | { readonly ok: true; readonly structure: Extract<Structure, { readonly kind: "sound" }> }
  | Extract<RunPlanResult, { readonly ok: false }>;

/** What does not depend on the state. */
export function prepared(plan: Plan, options: RunPlanOptions): Prepared {
  const bounds = [...optionProblems(options), ...actionProblems(plan, options)];
  if (bounds.length > 0) return { ok: false, problems: bounds };
  const structure = structureOf(plan, { ...(options.book && { book: options.book }) });
  if (structure.kind === "broken") return { ok: false, problems: structure.findings.map(problemOf) };
  const problems = [
    ...handlerProblems(plan, options),
    ...compensationProblems(plan, structure.numbers, options.tools),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, structure };
}

/** Whether the plan can go wrong from this state on; undefined if it cannot. */
export function objections(
  plan: Plan,
  state: State,
  { book, warnings, believeClaims }: RunPlanOptions,
): Extract<RunPlanResult, { readonly ok: false }> | undefined {
  const verification = verify(plan, { state, ...(book && { book }), ...(warnings && { warnings }) });
  if (!verification.valid) {
    const errors = verification.findings.filter(({ severity }) => severity === "error");
    return { ok: false, problems: errors.map(problemOf), verification };
  }
  const [claim] = verification.claims;
  // With a book, what was decided holds whether a claim comes true or not.
  if (book !== undefined || believeClaims === true || claim === undefined) return undefined;
  const message = `the plan is valid only if ${quoted(claim.actionId)} has the effect on ${quoted(claim.key)} that it claims`;
  const problem: RunProblem = {
    code: "FC3304",
    message,
    path: ["actions", plan.actions.findIndex(({ id }) => id === claim.actionId), "expected_effects"],
    actionId: claim.actionId,
    help: "give tool modules that say what the tools do, or believe what the plan claims with `believeClaims`",
  };
  return { ok: false, problems: [problem], verification };
}

function problemOf({ code, message, path, actionId, help }: Finding): RunProblem {
  return { code, message, path, actionId, ...(help !== undefined && { help }) };
}

function optionProblems(options: RunPlanOptions): RunProblem[] {
  const { runId, concurrency = runDefaults.concurrency, timeoutMs, graceMs = runDefaults.graceMs } = options;
  const wrong = (message: string): RunProblem => ({ code: "FC3301", message, path: [] });
  const problems: RunProblem[] = [];
  if (typeof runId !== "string" || !isRunId(runId, runLimits.runIdLength)) {
    const most = runLimits.runIdLength;
    problems.push(
      wrong(
        `the id of a run is up to ${most} letters, digits, \`.\`, \`_\` and \`-\`, and begins with one of the first two`,
      ),
    );
  }
  const bounded: readonly (readonly [string, unknown, number, number])[] = [
    ["concurrency", concurrency, 1, runLimits.concurrency],
    ["timeoutMs", timeoutMs, 1, runLimits.timeoutMs],
    ["graceMs", graceMs, 0, runLimits.graceMs],
  ];
  for (const [name, value, least, most] of bounded) {
    if (value === undefined || isWithin(value, least, most)) continue;
    problems.push(wrong(`\`${name}\` is a whole number from ${least} to ${most}`));
  }
  return problems;
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function actionProblems({ actions }: Plan, { book }: RunPlanOptions): RunProblem[] {
  const problems: RunProblem[] = [];
  const wrong = (message: string, path: RunProblem["path"], actionId?: string): void => {
    problems.push({ code: "FC3306", message, path, ...(actionId !== undefined && { actionId }) });
  };
  const { actions: most, retries, timeoutMs: longest } = runLimits;
  if (actions.length > most)
    wrong(`a run takes up to ${most} actions, and the plan has ${actions.length}`, ["actions"]);
  for (const [i, action] of actions.entries()) {
    const { id, maxRetries, timeoutMs, failureBehavior } = action;
    // SOUNDNESS: a plan that set a mark, or what was taken of a limit, would say what only we know.
    const written = [...(action.type === "state_write" ? [keyOf(action) ?? ""] : []), ...effectKeys(action)];
    // What the modules' own tools set is a fact of the world, and a plan has no other way to change that.
    const cell = action.type === "tool_call" ? undefined : written.find((key) => book?.isCell(key));
    if (cell !== undefined)
      wrong(`${quoted(id)} sets ${quoted(cell)}, which only a tool may set`, ["actions", i], id);
    const kept = written.find(isKeptKey);
    if (kept !== undefined)
      wrong(`${quoted(id)} sets ${quoted(kept)}, which is kept by runs and policies`, ["actions", i], id);
    if (failureBehavior === "retry" && maxRetries > retries) {
      wrong(
        `${quoted(id)} asks for ${maxRetries} retries, and a run makes up to ${retries}`,
        ["actions", i, "max_retries"],
        id,
      );
    }
    if (timeoutMs !== undefined && !isWithin(timeoutMs, 1, longest)) {
      wrong(
        `the time of ${quoted(id)} is ${timeoutMs} ms, and a run takes 1 to ${longest}`,
        ["actions", i, "timeout_ms"],
        id,
      );
    }
  }
  return problems;
}

function effectKeys({ expectedEffects, writeSet }: Action): readonly string[] {
  return [...expectedEffects.map(({ key }) => key), ...writeSet];
}

function handlerProblems({ actions }: Plan, { tools }: RunPlanOptions): RunProblem[] {
  const problems: RunProblem[] = [];
  for (const [i, { id, type, tool }] of actions.entries()) {
    if (type !== "tool_call" || tool === undefined || tools.has(tool)) continue;
    const message = `${quoted(id)} calls ${quoted(tool)}, for which there is no handler`;
    problems.push({ code: "FC3302", message, path: ["actions", i, "tool"], actionId: id });
  }
  return problems;
}
