/** `plan optimize`. */
import { brokenFailure, writeText } from "../../../app/index.ts";
import type { JsonObject } from "../../../ir/index.ts";
import { car, type OutputJson, optimizationToJson, optimize, outputText } from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type PlanOptions, say, withPlan } from "./given.ts";
import { optimizationText } from "./optimize-text.ts";

export interface OptimizeOptions extends PlanOptions {
  readonly output?: string;
  readonly out?: string;
}

export function optimizePlan(host: Host, file: string, options: OptimizeOptions): Promise<Ended> {
  return withPlan(host, file, options, async ({ loaded, options: given }) => {
    if (options.compat === "car") {
      const { json, dropped } = car.optimize(loaded.plan);
      const rows = dropped.map(({ actionId, key }) => ({ action_id: actionId, key }));
      // No proof shows that dropping them changes nothing.
      return sayPlan(host, options, json, { proposal: json, proof: null, dropped: rows }, fine, "");
    }
    const found = optimize(loaded.plan, given);
    if (found.kind === "broken") return brokenFailure(loaded, found.findings);
    const words = optimizationText(found, loaded, host.stderr);
    const code = found.kind === "invalid" || found.kind === "unproved" ? notSo : fine;
    return sayPlan(host, options, found.plan.json, optimizationToJson(found), code, words);
  });
}

/** Writes the plan to a file or to standard output, for another command, and all words to standard error. */
async function sayPlan(
  host: Host,
  options: OptimizeOptions,
  plan: JsonObject,
  answer: OutputJson,
  code: Ended,
  words: string,
): Promise<Ended> {
  const output = options.output ?? options.out;
  const failure = output === undefined ? undefined : await writeText(host, output, [outputText(plan)]);
  if (failure !== undefined) return failure;
  if (options.json || output === undefined) await say(host, options, answer, () => outputText(plan));
  if (!options.json) await host.stderr.write(words);
  return code;
}
