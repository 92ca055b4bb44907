/** What became of a run of a plan, for people. */

import { count, type LoadedPlan, listed, type Problem } from "../../app/index.ts";
import { visibleText } from "../../explain/index.ts";
import { type PlanRun, type RunProblem, shownValue } from "../../plan/index.ts";
import { renderProblems } from "../diagnostics.ts";
import { columnsOf, lookOf } from "../failure.ts";
import type { Output } from "../terminal.ts";
import { paintFor } from "../text/paint.ts";

/** LIMIT: of keys that people see; `--json` has all of them. */
const mostKeys = 20;

/** `ledger` is as a person would name it; without one, the state is gone when the command ends. */
export function planRunText(
  run: PlanRun,
  loaded: LoadedPlan,
  ledger: string | undefined,
  output: Output,
): string {
  const look = lookOf(output);
  const { bold, dim, green, red, signs, yellow } = paintFor(look);
  const { file, text: source } = loaded;
  const problems = run.problems.map((problem) => placed(problem, loaded, problem === run.endedBy));
  const shown =
    problems.length === 0
      ? ""
      : `\n${renderProblems({ file, source, problems }, { ...look, columns: columnsOf(output) })}`;
  const named = ledger === undefined ? "" : `, run \`${run.runId}\``;
  const said = `${count(run.actions.length, "action")}${countsOf(run)}${named}`;
  const verdict =
    run.kind === "done"
      ? green(`${signs.holds}done`)
      : run.kind === "aborted"
        ? red(bold(`${signs.violated}aborted`))
        : yellow(bold("stopped"));
  const lines = [
    `${verdict}  ${said}`,
    ...stillDone(run, yellow),
    ...inDoubt(run, ledger, yellow),
    ...(ledger === undefined ? stateLines(run, dim) : []),
  ];
  return `${shown}\n${lines.join("\n")}\n`;
}

/** How many came to what, if not all came to the same good end. */
function countsOf({ actions }: PlanRun): string {
  const counts = new Map<string, number>();
  for (const { status } of actions) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has("done"))) return "";
  return `: ${[...counts].map(([status, many]) => `${many} ${status}`).join(", ")}`;
}

function placed({ code, message, path, help }: RunProblem, { locate }: LoadedPlan, isEnd: boolean): Problem {
  const span = path.length === 0 ? undefined : locate(path);
  return {
    code,
    message,
    title: isEnd ? "error" : "warning",
    ...(span && { span }),
    ...(help !== undefined && { help }),
  };
}

function stillDone({ stillDone: ids }: PlanRun, yellow: (text: string) => string): string[] {
  if (ids.length === 0) return [];
  const names = listed(ids.slice(0, 10).map(visibleText));
  return [
    `${yellow("still done")}  nothing made up for what ${names} did in the world; what it set is marked as not known`,
  ];
}

function inDoubt(
  { inDoubt: doubts, runId }: PlanRun,
  ledger: string | undefined,
  yellow: (text: string) => string,
): string[] {
  if (doubts.length === 0) return [];
  const lines = doubts.map(({ actionId, receipt }) =>
    ledger === undefined
      ? `  ${visibleText(actionId)}`
      : `  ${visibleText(actionId)}\n    receipt ${receipt}`,
  );
  const next =
    ledger === undefined
      ? []
      : [
          `  ask the tool or a person, then \`foreclaim kernel resolve ${visibleText(ledger)} <receipt>\` with --settle or --release,`,
          `  and run the plan again with \`--run ${runId}\``,
        ];
  return [`${yellow("in doubt")}  nobody knows whether these happened:`, ...lines, ...next];
}

function stateLines({ state }: PlanRun, dim: (text: string) => string): string[] {
  const cells = [...state]
    .slice(0, mostKeys)
    .map(([key, value]) => `${visibleText(key)} = ${visibleText(shownValue(value, 200))}`);
  const more = state.size - cells.length;
  return [...cells, ...(more > 0 ? [dim(`and ${more} more keys; --json has them all`)] : [])];
}
