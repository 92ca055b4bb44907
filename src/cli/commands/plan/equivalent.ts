/** `plan equivalent`. */
import { brokenFailure, type LoadedPlan, loadPlan } from "../../../app/index.ts";
import {
  car,
  equivalenceToJson,
  equivalent,
  type OutputJson,
  type State,
  stateToJson,
} from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { equivalenceText } from "./equivalent-text.ts";
import { type PlanOptions, say, withPlan } from "./given.ts";

export function comparePlans(
  host: Host,
  file: string,
  otherFile: string,
  options: PlanOptions,
): Promise<Ended> {
  return withPlan(host, file, options, async ({ loaded, options: given }) => {
    const other = await loadPlan(host, otherFile, options.compat);
    if (!other.ok) return other;
    if (options.compat === undefined) {
      const found = equivalent(loaded.plan, other.value.plan, given);
      if (found.kind === "broken")
        return brokenFailure(found.which === 0 ? loaded : other.value, found.findings);
      await say(host, options, equivalenceToJson(found), () => equivalenceText(found));
      return found.kind === "equivalent" ? fine : notSo;
    }
    const state = car.difference(loaded.plan, other.value.plan, given.state && [given.state]);
    const json: OutputJson =
      state === undefined
        ? { equivalent: true }
        : { equivalent: false, difference: differenceOf(state, loaded, other.value) };
    const words = state === undefined ? "equivalent on the states that were tried" : "not equivalent";
    await say(host, options, json, () => `${words}\n`);
    return state === undefined ? fine : notSo;
  });
}

function differenceOf(state: State, one: LoadedPlan, other: LoadedPlan): OutputJson {
  return {
    state: stateToJson(state),
    first: stateToJson(car.simulate(one.plan, state)),
    second: stateToJson(car.simulate(other.plan, state)),
  };
}
