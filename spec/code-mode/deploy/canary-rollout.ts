/**
 * Task: Roll a version out to production in steps of 5, 25, 50 and 100 percent; stop when the error rate rises above 2 percent.
 * Verdict: holds
 * Why: The loop has four steps with one awaited deploy each, so there are at most four and never two at a time.
 * Features: as const tuple loop, break, health comparison, report array, last element
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

const STEPS = [5, 25, 50, 100] as const;

export default program({
  guarantees: [deploy.maxDeploys(4), deploy.oneAtATime(), deploy.incidentsAtMost(0)],
  async run({ service, version }: { service: string; version: string }) {
    const report: string[] = [];
    let reached = 0;

    for (const percent of STEPS) {
      const { status } = await deploy.deploy({ service, version, env: "production", percent });
      if (status === "failed") {
        report.push(`${percent}%: deployment failed`);
        break;
      }
      reached = percent;
      const { errorRate, p95Ms } = await deploy.getHealth({ service, env: "production" });
      report.push(`${percent}%: error rate ${(errorRate * 100).toFixed(2)}%, p95 ${p95Ms} ms`);
      if (errorRate > 0.02) {
        report.push("stopped because of the error rate");
        break;
      }
    }

    return { reached, complete: reached === 100, report };
  },
});
