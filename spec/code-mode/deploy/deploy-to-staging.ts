/**
 * Task: Deploy the newest built release of a service to staging and tell me the result.
 * Verdict: holds
 * Why: The only deploy has the literal env "staging".
 * Features: filter, reduce to newest, optional result, early return, template string
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.onlyStaging(), deploy.maxDeploys(1)],
  async run({ service }: { service: string }) {
    const releases = await deploy.listReleases({ service, limit: 20 });
    const newest = releases
      .filter((r) => r.status === "built")
      .reduce<deploy.Release | undefined>(
        (best, r) => (!best || r.createdAt > best.createdAt ? r : best),
        undefined,
      );

    if (!newest) return `There is no new release of ${service}.`;

    const { deploymentId, status } = await deploy.deploy({
      service,
      version: newest.version,
      env: "staging",
    });
    return `${service} ${newest.version} by ${newest.author}: ${status} (${deploymentId})`;
  },
});
