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
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { fail, type PlanOptions, say, withPlan } from "../plan/given.ts";
import { equivalenceText } from "./render.ts";

export type EquivalentOptions = Pick<PlanOptions, "compat" | "state" | "tools" | "json">;

export function comparePlans(
  host: Host,
  file: string,
  otherFile: string,
  options: EquivalentOptions,
): Promise<ExitCode> {
  return withPlan(host, file, options, async ({ loaded, state, book }) => {
    const other = await loadPlan(host, otherFile, options.compat);
    if (!other.ok) return fail(host, options, other);
    if (options.compat === undefined) {
      const found = equivalent(loaded.plan, other.value.plan, {
        ...(state && { state }),
        ...(book && { book }),
      });
      if (found.kind === "broken") {
        return fail(host, options, brokenFailure(found.which === 0 ? loaded : other.value, found.findings));
      }
      await say(host, options, equivalenceToJson(found), () => equivalenceText(found));
      return found.kind === "equivalent" ? fine : notSo;
    }
    const difference = car.difference(loaded.plan, other.value.plan, state && [state]);
    const json: OutputJson =
      difference === undefined
        ? { equivalent: true }
        : { equivalent: false, difference: differenceOf(difference, loaded, other.value) };
    const words = difference === undefined ? "equivalent on the states that were tried" : "not equivalent";
    await say(host, options, json, () => `${words}\n`);
    return difference === undefined ? fine : notSo;
  });
}

function differenceOf(state: State, one: LoadedPlan, other: LoadedPlan): OutputJson {
  return {
    state: stateToJson(state),
    first: stateToJson(car.simulate(one.plan, state)),
    second: stateToJson(car.simulate(other.plan, state)),
  };
}
