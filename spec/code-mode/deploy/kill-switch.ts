/**
 * Task: Turn off the flag "instant-search" everywhere, because it overloads the database.
 * Verdict: holds
 * Why: The key is a literal in both calls and enabled is false.
 * Features: loop over literal tuple, try/catch per environment, error message, every
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.onlyFlag("instant-search"), deploy.rolloutMax(0), deploy.maxDeploys(0)],
  async run() {
    const envs: deploy.Env[] = ["production", "staging"];
    const outcome: { env: deploy.Env; ok: boolean; error?: string }[] = [];
    for (const env of envs) {
      try {
        await deploy.setFlag({ key: "instant-search", env, enabled: false });
        outcome.push({ env, ok: true });
      } catch (e) {
        outcome.push({ env, ok: false, error: e instanceof Error ? e.message : "unknown error" });
      }
    }
    return { allOff: outcome.every((o) => o.ok), outcome };
  },
});
