/** `plan graph`. */
import { brokenFailure, plainFailure, writeText } from "../../../app/index.ts";
import { drawPlan } from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type PlanOptions, say, withPlan } from "./given.ts";

export function graphPlan(
  host: Host,
  file: string,
  options: PlanOptions & { readonly output?: string },
): Promise<Ended> {
  return withPlan(host, file, options, async ({ loaded, options: given }) => {
    const drawn = drawPlan(loaded.plan, { ...given, warnings: loaded.warnings });
    if (drawn.kind === "broken") return brokenFailure(loaded, drawn.findings);
    if (drawn.kind === "too big") {
      const message = `a picture holds ${drawn.most} actions, and the plan has ${loaded.plan.actions.length}`;
      return plainFailure("FC9001", message);
    }
    const { output } = options;
    const failure = output === undefined ? undefined : await writeText(host, output, [drawn.svg]);
    if (failure !== undefined) return failure;
    const answer = { valid: drawn.valid, ...(output === undefined && { svg: drawn.svg }) };
    if (options.json || output === undefined) await say(host, options, answer, () => drawn.svg);
    return fine;
  });
}
