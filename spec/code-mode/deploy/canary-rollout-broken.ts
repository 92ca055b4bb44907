/**
 * Task: Roll a version out to production in steps of 5, 25, 50 and 100 percent; stop when the error rate rises above 2 percent.
 * Verdict: broken — maxDeploys(4)
 * Why: A step whose deployment is not done is tried again, so there can be more than four deploys.
 * Features: index while loop, retry without counter reset, if/else, report text
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.maxDeploys(4), deploy.oneAtATime(), deploy.incidentsAtMost(0)],
  async run({ service, version }: { service: string; version: string }) {
    const steps = [5, 25, 50, 100];
    let i = 0;
    let failures = 0;
    let report = "";

    while (i < steps.length && failures < 3) {
      const { status } = await deploy.deploy({ service, version, env: "production", percent: steps[i] });
      if (status !== "done") {
        failures += 1;
        report += `${steps[i]}%: ${status}, trying again\n`;
        continue;
      }
      const { errorRate } = await deploy.getHealth({ service, env: "production" });
      report += `${steps[i]}%: ${(errorRate * 100).toFixed(2)}% errors\n`;
      if (errorRate > 0.02) break;
      i++;
    }

    return { complete: i === steps.length, report };
  },
});
