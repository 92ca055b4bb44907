/** `plan simulate`. */
import { brokenFailure } from "../../../app/index.ts";
import { car, simulate, simulationToJson, stateToJson } from "../../../plan/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import type { Terminal } from "../../terminal.ts";
import { fail, type PlanOptions, say, withPlan } from "../plan/given.ts";
import { simulationText } from "./render.ts";

export function simulatePlan(terminal: Terminal, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    const { plan } = loaded;
    if (options.compat === "car") {
      const left = car.simulate(plan, state);
      const simulation = { state: left, unknown: [], blocked: [], unreached: [] };
      const json = { state: stateToJson(left), unknown: [] };
      await say(terminal, options, json, () => simulationText(simulation, terminal.stdout));
      return fine;
    }
    const { maxActions } = options;
    const found = simulate(plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(maxActions !== undefined && { maxActions }),
    });
    if (found.kind === "broken") return fail(terminal, options, brokenFailure(loaded, found.findings));
    const { simulation } = found;
    await say(terminal, options, simulationToJson(simulation), () =>
      simulationText(simulation, terminal.stdout),
    );
    return fine;
  });
}
