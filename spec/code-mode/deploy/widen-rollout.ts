/**
 * Task: Double the rollout of one feature flag in production, but never go beyond 25 percent.
 * Verdict: holds
 * Why: A parsed rollout that is not a non-negative number is rejected and the new one is capped at 25.
 * Features: JSON.parse into typed object, find, typeof checks, Math.min, early return
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

type Flag = { key: string; enabled: boolean; rollout: number; updatedAt: string; owner?: string };

export default program({
  guarantees: [deploy.rolloutMax(25), deploy.onlyFlag("new-checkout")],
  async run() {
    const { flags } = JSON.parse(await deploy.listFlags({ env: "production" })) as { flags: Flag[] };
    const flag = flags.find((f) => f.key === "new-checkout");
    if (!flag?.enabled) return "The flag is off, I left it alone.";
    if (typeof flag.rollout !== "number" || flag.rollout < 0) {
      return `The rollout ${JSON.stringify(flag.rollout)} makes no sense.`;
    }

    const next = Math.min(25, flag.rollout === 0 ? 1 : flag.rollout * 2);
    if (next <= flag.rollout) return `The rollout is already ${flag.rollout}%.`;
    await deploy.setFlag({ key: "new-checkout", env: "production", enabled: true, rollout: next });
    return `Rollout changed from ${flag.rollout}% to ${next}%.`;
  },
});
