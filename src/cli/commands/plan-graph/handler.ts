/** `plan graph`. */
import { brokenFailure, plainFailure } from "../../../app/index.ts";
import { drawPlan } from "../../../plan/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { fail, type PlanOptions, say, withPlan, written } from "../plan/given.ts";

export type GraphOptions = Pick<PlanOptions, "state" | "knownTools" | "tools" | "json"> & {
  readonly output?: string;
};

export function graphPlan(host: Host, file: string, options: GraphOptions): Promise<ExitCode> {
  return withPlan(host, file, options, async ({ loaded, state, book }) => {
    const drawn = drawPlan(loaded.plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(options.knownTools && { knownTools: new Set(options.knownTools) }),
      warnings: loaded.warnings,
    });
    if (drawn.kind === "broken") return fail(host, options, brokenFailure(loaded, drawn.findings));
    if (drawn.kind === "too big") {
      const message = `a plan of ${loaded.plan.actions.length} actions is too big for a picture, which takes ${drawn.most}`;
      return fail(host, options, plainFailure("FC9001", message));
    }
    if (options.output !== undefined) {
      const failure = await written(host, options.output, drawn.svg);
      if (failure !== undefined) return fail(host, options, failure);
    }
    const answer = { valid: drawn.valid, ...(options.output === undefined && { svg: drawn.svg }) };
    if (options.json || options.output === undefined) await say(host, options, answer, () => drawn.svg);
    return fine;
  });
}
