/**
 * Task: Deploy a version to staging, check that staging is healthy, and then promote it to production.
 * Verdict: holds
 * Why: The production deploy is reached only after the staging deploy of the same version is done and staging health is ok.
 * Features: sequential awaits, early returns, discriminated answer objects, same variables reused for both calls
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
    if (staging.status !== "done") {
      return { promoted: false, reason: `staging deployment is ${staging.status}` };
    }

    const health = await deploy.getHealth({ service, env: "staging" });
    if (health.status !== "ok" || health.errorRate > 0.01) {
      return {
        promoted: false,
        reason: `staging is ${health.status} with ${health.errorRate * 100}% errors`,
      };
    }

    const production = await deploy.deploy({ service, version, env: "production" });
    return {
      promoted: production.status === "done",
      deploymentId: production.deploymentId,
      status: production.status,
    };
  },
});
