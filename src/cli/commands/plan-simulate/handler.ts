/** `plan simulate`. */
import { brokenFailure } from "../../../app/index.ts";
import { car, simulate, simulationToJson, stateToJson } from "../../../plan/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { fail, type PlanOptions, say, withPlan } from "../plan/given.ts";
import { simulationText } from "./render.ts";

export function simulatePlan(host: Host, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(host, file, options, async ({ loaded, state, book }) => {
    const { plan } = loaded;
    if (options.compat === "car") {
      const left = car.simulate(plan, state);
      const simulation = { state: left, unknown: [], blocked: [], unreached: [] };
      const json = { state: stateToJson(left), unknown: [] };
      await say(host, options, json, () => simulationText(simulation, host.stdout));
      return fine;
    }
    const { maxActions } = options;
    const found = simulate(plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(maxActions !== undefined && { maxActions }),
    });
    if (found.kind === "broken") return fail(host, options, brokenFailure(loaded, found.findings));
    const { simulation } = found;
    await say(host, options, simulationToJson(simulation), () => simulationText(simulation, host.stdout));
    return fine;
  });
}
