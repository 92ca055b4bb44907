/** Findings of a plan, for people. */
import { type LoadedPlan, listed } from "../../../app/index.ts";
import type { Diagnostic } from "../../../ir/index.ts";
import { type Finding, shownValue, type Witness } from "../../../plan/index.ts";

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
export const mostTold = 8;

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

export function ticked(name: string): string {
  return `\`${name}\``;
}
