/** The verdict on a plan, for people. */
import { count, type LoadedPlan } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Finding, Verification } from "../../../plan/index.ts";
import { renderProblems } from "../../diagnostics.ts";
import { columnsOf, lookOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import { type Paint, paintFor } from "../../text/paint.ts";
import { problemOf } from "./render.ts";

export function verificationText(found: Verification, loaded: LoadedPlan, output: Output): string {
  const look = lookOf(output);
  const paint = paintFor(look);
  const problems = [...found.findings].sort(bySeverity).map((finding) => problemOf(finding, loaded));
  const { file, text: source } = loaded;
  const shown =
    problems.length === 0
      ? ""
      : `${renderProblems({ file, source, problems }, { ...look, columns: columnsOf(output) })}\n`;
  return `${shown}${verdictLine(found, loaded, paint)}\n${claimsLine(found, paint)}`;
}

const ranks = { error: 0, warning: 1, info: 2 } as const;

function bySeverity(a: Finding, b: Finding): number {
  return ranks[a.severity] - ranks[b.severity];
}

function verdictLine({ valid, findings, levels }: Verification, { plan }: LoadedPlan, paint: Paint): string {
  const said = [
    `${count(plan.actions.length, "action")}${levels.length === 0 ? "" : ` in ${count(levels.length, "level")}`}`,
    ...(["error", "warning"] as const).flatMap((severity) => {
      const found = findings.filter((one) => one.severity === severity).length;
      return found === 0 ? [] : [count(found, severity)];
    }),
  ];
  const verdict = valid
    ? paint.green(`${paint.signs.holds}valid`)
    : paint.red(paint.bold(`${paint.signs.violated}not valid`));
  return `${verdict}  ${said.join(", ")}`;
}

function claimsLine({ claims }: Verification, paint: Paint): string {
  if (claims.length === 0) return "";
  const shown = claims
    .slice(0, 5)
    .map(({ actionId, key }) => `${visibleText(actionId)} of ${visibleText(key)}`);
  const rest = claims.length > 5 ? ` and ${claims.length - 5} more` : "";
  return paint.dim(`as far as it is true what tool calls claim: ${shown.join(", ")}${rest}\n`);
}
