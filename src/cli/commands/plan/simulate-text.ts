/** The state that a plan leaves behind, for people. */
import { listed } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { type Simulation, shownValue } from "../../../plan/index.ts";
import { paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";

export function simulationText({ state, unknown, blocked, unreached }: Simulation, output: Output): string {
  const paint = paintOf(output);
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
