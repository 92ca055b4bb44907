/** What is said of plans, for people. */

import { count, type LoadedPlan, listed } from "../../app/index.ts";
import { visibleText } from "../../explain/index.ts";
import type { Diagnostic } from "../../ir/index.ts";
import {
  type Equivalence,
  type Finding,
  type Optimization,
  type Simulation,
  type Step,
  shownValue,
  type Verification,
  type Witness,
} from "../../plan/index.ts";
import { renderProblems } from "../diagnostics.ts";
import { columnsOf, lookOf } from "../failure.ts";
import type { Output } from "../terminal.ts";
import { type Paint, paintFor } from "../text/paint.ts";

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

export function problemOf(
  finding: Finding,
  { locate }: Pick<LoadedPlan, "locate">,
): Diagnostic<string, never> {
  const { code, message, severity, path, part, witness } = finding;
  const span = locate(path, part);
  const help = [
    ...(witness === undefined ? [] : [witnessText(witness)]),
    ...(finding.help === undefined ? [] : [finding.help]),
  ];
  return {
    code,
    message,
    title: severity,
    ...(span && { span }),
    ...(help.length > 0 && { help: help.join("\n") }),
  };
}

/** LIMIT: a longer run is told by its end. */
const mostTold = 8;

function witnessText({ state, schedule, failed, written }: Witness): string {
  const given = [...state].slice(0, mostTold).map(([key, value]) => `${key} = ${shownValue(value, 20)}`);
  const from = given.length === 0 ? "an empty state" : listed(given);
  const told = schedule.slice(-mostTold).map(ticked).join(", ");
  const before = schedule.length > mostTold ? `${schedule.length - mostTold} others, ` : "";
  const notes = [
    ...(failed.length === 0
      ? []
      : [`${listed(failed.slice(0, mostTold).map(ticked))} fail${failed.length === 1 ? "s" : ""}`]),
    ...written.slice(0, 3).map(({ actionId, key, value }) => {
      const what =
        value === undefined ? `removes ${ticked(key)}` : `leaves ${key} = ${shownValue(value, 20)}`;
      return `${ticked(actionId)} ${what}`;
    }),
  ];
  return `for example from ${from}: ${before}${told}${notes.map((note) => `; ${note}`).join("")}`;
}

function ticked(name: string): string {
  return `\`${name}\``;
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

export function simulationText({ state, unknown, blocked, unreached }: Simulation, output: Output): string {
  const paint = paintFor(lookOf(output));
  const lines = [
    ...[...state].map(([key, value]) => `${visibleText(key)} = ${visibleText(shownValue(value, 200))}`),
    ...unknown.map((key) => `${visibleText(key)} ${paint.yellow("is not known")}`),
    ...blocked.map(({ actionId, always, endsPlan, because }) => {
      const verb = always ? "does not run" : "may not run";
      const what = `${visibleText(actionId)} ${verb}${endsPlan ? ", which ends the plan" : ""}`;
      return paint.yellow(`${what}: it asks for ${visibleText(listed(because))}`);
    }),
    ...(unreached.length === 0 ? [] : [`not reached: ${visibleText(listed(unreached.slice(0, 20)))}`]),
  ];
  return lines.length === 0 ? "nothing is in the state\n" : `${lines.join("\n")}\n`;
}

export function equivalenceText(found: Exclude<Equivalence, { readonly kind: "broken" }>): string {
  switch (found.kind) {
    case "equivalent":
      return "equivalent\n";
    case "unknown":
      return `not known to be equivalent: ${found.why}, and no run was found in which they differ\n`;
    case "different": {
      const { state, failing, runs } = found.difference;
      const given = [...state]
        .slice(0, mostTold)
        .map(([key, value]) => `${visibleText(key)} = ${visibleText(shownValue(value, 40))}`);
      const lines = [
        "not equivalent",
        `  from ${given.length === 0 ? "an empty state" : listed(given)}`,
        ...failing.map((call) => `  where ${visibleText(call)} fails`),
        ...runs.flatMap(({ endedBy, calls, state: left }, i) => [
          `  the ${i === 0 ? "first" : "second"} ${endedBy === undefined ? "goes to its end" : `ends at ${visibleText(endedBy)}`}`,
          ...calls.slice(0, 20).map((call) => `    calls ${visibleText(call)}`),
          ...(endedBy === undefined
            ? [...left]
                .slice(0, 20)
                .map(
                  ([key, value]) => `    leaves ${visibleText(key)} = ${visibleText(shownValue(value, 60))}`,
                )
            : []),
        ]),
      ];
      return `${lines.join("\n")}\n`;
    }
  }
}

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
  const paint = paintFor(lookOf(output));
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
