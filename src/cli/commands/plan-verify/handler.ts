/** `plan verify`. */
import { car, carVerificationToJson, verificationToJson, verify } from "../../../plan/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type PlanOptions, say, withPlan } from "../plan/given.ts";
import { verificationText } from "./render.ts";

export function verifyPlan(host: Host, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(host, file, options, async ({ loaded, state, book }) => {
    const { plan, warnings } = loaded;
    const given = {
      ...(state && { state }),
      ...(book && { book }),
      ...(options.knownTools && { knownTools: new Set(options.knownTools) }),
      ...(options.maxActions !== undefined && { maxActions: options.maxActions }),
    };
    if (options.compat === "car") {
      const found = car.verify(plan, given);
      const shown = { ...found, tier: "decided", claims: [], conflicts: [] } as const;
      await say(host, options, carVerificationToJson(found), () =>
        verificationText(shown, loaded, host.stdout),
      );
      return found.valid ? fine : notSo;
    }
    const found = verify(plan, { ...given, warnings });
    await say(host, options, verificationToJson(found), () => verificationText(found, loaded, host.stdout));
    return found.valid ? fine : notSo;
  });
}
