/** `plan simulate`. */
import { brokenFailure } from "../../../app/index.ts";
import { car, simulate, simulationToJson, stateToJson } from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type PlanOptions, say, withPlan } from "./given.ts";
import { simulationText } from "./simulate-text.ts";

export function simulatePlan(host: Host, file: string, options: PlanOptions): Promise<Ended> {
  return withPlan(host, file, options, async ({ loaded, options: given }) => {
    if (options.compat === "car") {
      const state = car.simulate(loaded.plan, given.state);
      const simulation = { state, unknown: [], blocked: [], unreached: [] };
      const json = { state: stateToJson(state), unknown: [] };
      await say(host, options, json, () => simulationText(simulation, host.stdout));
      return fine;
    }
    const found = simulate(loaded.plan, given);
    if (found.kind === "broken") return brokenFailure(loaded, found.findings);
    const { simulation } = found;
    await say(host, options, simulationToJson(simulation), () => simulationText(simulation, host.stdout));
    return fine;
  });
}
