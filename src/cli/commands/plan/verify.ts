/** `plan verify`. */
import { car, carVerificationToJson, verificationToJson, verify } from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { type PlanOptions, say, withPlan } from "./given.ts";
import { verificationText } from "./verify-text.ts";

export function verifyPlan(host: Host, file: string, options: PlanOptions): Promise<Ended> {
  return withPlan(host, file, options, async ({ loaded, options: given }) => {
    const { plan, warnings } = loaded;
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
