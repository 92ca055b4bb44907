/** `plan optimize`. */
import { brokenFailure } from "../../../app/index.ts";
import type { JsonObject } from "../../../ir/index.ts";
import { car, type OutputJson, optimizationToJson, optimize, outputText } from "../../../plan/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { fail, type PlanOptions, say, withPlan, written } from "../plan/given.ts";
import { optimizationText } from "./render.ts";

export type OptimizeOptions = Omit<PlanOptions, "knownTools"> & {
  readonly output?: string;
  readonly out?: string;
};

export function optimizePlan(host: Host, file: string, options: OptimizeOptions): Promise<ExitCode> {
  return withPlan(host, file, options, async ({ loaded, state, book }) => {
    if (options.compat === "car") {
      const { json, dropped } = car.optimize(loaded.plan);
      const rows = dropped.map(({ actionId, key }) => ({ action_id: actionId, key }));
      // Dropping them is not proved to change nothing, and may change something.
      const answer = { proposal: json, proof: null, dropped: rows };
      return sayPlan(host, options, json, answer, fine, "");
    }
    const { maxActions } = options;
    const found = optimize(loaded.plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(maxActions !== undefined && { maxActions }),
    });
    if (found.kind === "broken") return fail(host, options, brokenFailure(loaded, found.findings));
    const words = optimizationText(found, loaded, host.stderr);
    const code = found.kind === "invalid" || found.kind === "unproved" ? notSo : fine;
    return sayPlan(host, options, found.plan.json, optimizationToJson(found), code, words);
  });
}

/** A plan goes to a file or to standard output, where another command may read it; so what else is said does not. */
async function sayPlan(
  host: Host,
  options: OptimizeOptions,
  plan: JsonObject,
  answer: OutputJson,
  code: ExitCode,
  words: string,
): Promise<ExitCode> {
  const output = options.output ?? options.out;
  if (output !== undefined) {
    const failure = await written(host, output, outputText(plan));
    if (failure !== undefined) return fail(host, options, failure);
  }
  if (options.json || output === undefined) await say(host, options, answer, () => outputText(plan));
  if (!options.json) await host.stderr.write(words);
  return code;
}
