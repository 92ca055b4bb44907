/**
 * Task: Deploy a version to staging, check that staging is healthy, and then promote it to production.
 * Verdict: broken — stagingFirst()
 * Why: Only "failed" stops the promotion, so it goes on while the staging deployment is still "running".
 * Features: sequential awaits, polling loop, boolean flag, early return
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [
    deploy.stagingFirst(),
    deploy.healthyBeforeProduction(),
    deploy.maxDeploys(2),
    deploy.oneAtATime(),
  ],
  async run({ service, version }: { service: string; version: string }) {
    const staging = await deploy.deploy({ service, version, env: "staging" });
    if (staging.status === "failed") {
      return { promoted: false, reason: "staging deployment failed" };
    }

    // give staging a few chances to become healthy
    let healthy = false;
    for (let i = 0; i < 5 && !healthy; i++) {
      const { status } = await deploy.getHealth({ service, env: "staging" });
      healthy = status === "ok";
    }
    if (!healthy) return { promoted: false, reason: "staging is not healthy" };

    const production = await deploy.deploy({ service, version, env: "production" });
    return { promoted: production.status !== "failed", deploymentId: production.deploymentId };
  },
});
