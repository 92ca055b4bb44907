/** `plan verify`. */
import { car, carVerificationToJson, verificationToJson, verify } from "../../../plan/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Terminal } from "../../terminal.ts";
import { type PlanOptions, say, withPlan } from "../plan/given.ts";
import { verificationText } from "./render.ts";

export function verifyPlan(terminal: Terminal, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
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
      await say(terminal, options, carVerificationToJson(found), () =>
        verificationText(shown, loaded, terminal.stdout),
      );
      return found.valid ? fine : notSo;
    }
    const found = verify(plan, { ...given, warnings });
    await say(terminal, options, verificationToJson(found), () =>
      verificationText(found, loaded, terminal.stdout),
    );
    return found.valid ? fine : notSo;
  });
}
