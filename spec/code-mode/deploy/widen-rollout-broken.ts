/**
 * Task: Double the rollout of one feature flag in production, but never go beyond 25 percent.
 * Verdict: broken — rolloutMax(25)
 * Why: The limit is checked on the old rollout, so 20 percent becomes 40.
 * Features: JSON.parse with type assertion, find, non-null flow, compound condition
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.rolloutMax(25), deploy.onlyFlag("new-checkout")],
  async run() {
    const parsed = JSON.parse(await deploy.listFlags({ env: "production" })) as {
      flags: { key: string; enabled: boolean; rollout: number }[];
    };
    const flag = parsed.flags.find(({ key }) => key === "new-checkout");
    if (!flag || !flag.enabled) return "The flag is off, I left it alone.";

    if (flag.rollout >= 0 && flag.rollout < 25) {
      const rollout = flag.rollout * 2 || 1;
      await deploy.setFlag({ key: flag.key, env: "production", enabled: true, rollout });
      return `Rollout changed from ${flag.rollout}% to ${rollout}%.`;
    }
    return `The rollout is already ${flag.rollout}%.`;
  },
});
