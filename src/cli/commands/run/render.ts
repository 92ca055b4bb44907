/** The end of a run, for people. */

import { count, type LoadedProgram } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Diagnostic } from "../../../ir/index.ts";
import type { ProgramRun, RunProblem } from "../../../run/index.ts";
import { renderProblems } from "../../diagnostics.ts";
import { columnsOf, lookOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";

export function runOutcomeText(
  run: ProgramRun,
  document: LoadedProgram,
  ledger: string | undefined,
  output: Output,
): string {
  const { bold, green, red, signs, yellow } = paintOf(output);
  const verdict =
    run.kind === "done"
      ? green(`${signs.holds}done`)
      : run.kind === "stopped"
        ? red(bold(`${signs.violated}stopped`))
        : yellow(bold(`${signs.unknown}in doubt`));
  const named = ledger === undefined ? "" : `, run \`${run.runId}\``;
  const doubts = run.calls.filter(({ status }) => status === "in doubt");
  const shown = visibleText(ledger ?? "");
  return [
    problemsText(run.problems, document, output),
    ...run.notes.map((note) => `note  ${visibleText(note)}`),
    `${verdict}  ${count(run.calls.length, "call")}${countsOf(run)}${named}`,
    ...resultLines(run),
    ...doubts.map(
      ({ call, tool, receipt = "" }) =>
        `  ${visibleText(tool)} (${visibleText(call)}): its effect is unknown\n    receipt ${receipt}`,
    ),
    ...(doubts.length === 0 || ledger === undefined
      ? []
      : [
          `  find out, then run \`foreclaim kernel resolve ${shown} <receipt>\` with --settle or --release,`,
          `  and resume with \`--resume ${run.runId}\``,
        ]),
    "",
  ].join("\n");
}

/** Renders the result of the program: a text as it is, everything else as JSON. */
function resultLines({ result }: ProgramRun): string[] {
  if (result === undefined) return [];
  const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  return text.split("\n").map(visibleText);
}

export function problemsText(
  problems: readonly RunProblem[],
  document: LoadedProgram,
  output: Output,
): string {
  if (problems.length === 0) return "";
  const { file, text: source } = document;
  const placed = problems.map((one, i) => placedProblem(one, document, i === 0));
  return renderProblems(
    { file, source, problems: placed },
    { ...lookOf(output), columns: columnsOf(output) },
  );
}

function placedProblem(
  { code, message, path, help }: RunProblem,
  { locate }: LoadedProgram,
  isEnd: boolean,
): Diagnostic<string, never> {
  const span = path.length === 0 ? undefined : locate(path);
  const title = isEnd ? "error" : "warning";
  return { code, message, title, ...(span && { span }), ...(help !== undefined && { help }) };
}

/** Counts the calls by their status, unless all are done. */
function countsOf({ calls }: ProgramRun): string {
  const counts = new Map<string, number>();
  for (const { status } of calls) counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has("done"))) return "";
  return `: ${[...counts].map(([status, many]) => `${many} ${status}`).join(", ")}`;
}
