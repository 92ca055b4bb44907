/** The changes that make a plan better, for people. */
import { count, type LoadedPlan } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Optimization, Step } from "../../../plan/index.ts";
import { renderProblems } from "../../diagnostics.ts";
import { columnsOf, lookOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import { problemOf, ticked } from "./render.ts";

/** LIMIT: changes that are told; `--json` has them all. */
const mostSteps = 20;

export function optimizationText(
  found: Exclude<Optimization, { readonly kind: "broken" }>,
  loaded: LoadedPlan,
  output: Output,
): string {
  if (found.kind === "unproved") {
    return `unchanged: what would be better is not known to do the same, since ${found.why}\n`;
  }
  if (found.kind === "invalid") {
    const problems = found.findings.map((finding) => problemOf(finding, loaded));
    const { file, text: source } = loaded;
    return renderProblems({ file, source, problems }, { ...lookOf(output), columns: columnsOf(output) });
  }
  const { steps, before, after } = found.proof;
  const told = steps.slice(0, mostSteps).map((step) => `  ${stepText(step)}`);
  const rest =
    steps.length > mostSteps ? [`  and ${steps.length - mostSteps} more; --json has them all`] : [];
  const paint = paintOf(output);
  const verdict = paint.green(
    `${paint.signs.holds}${found.kind === "optimized" ? "equivalent" : "unchanged"}`,
  );
  const levels = `${count(before.length, "level")}, then ${after.length}`;
  return `${[`${verdict}  ${found.kind === "optimized" ? levels : count(before.length, "level")}`, ...told, ...rest].join("\n")}\n`;
}

function stepText(step: Step): string {
  const id = ticked(visibleText(step.actionId));
  switch (step.kind) {
    case "removed":
      return `${id} does not depend on ${ticked(visibleText(step.dependency))} any more: ${visibleText(step.reason)}`;
    case "added":
      return `${id} depends on ${ticked(visibleText(step.dependency))}: ${visibleText(step.reason)}`;
    case "moved":
      return `${id} goes from level ${step.from + 1} to level ${step.to + 1}: ${visibleText(step.reason)}`;
  }
}
