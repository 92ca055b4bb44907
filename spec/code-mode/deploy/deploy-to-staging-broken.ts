/**
 * Task: Deploy the newest built release of a service to staging and tell me the result.
 * Verdict: broken — onlyStaging()
 * Why: The env is taken from the release record when it has one, and it may be "production".
 * Features: sort, destructuring with default, array destructuring, early return
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.onlyStaging(), deploy.maxDeploys(1)],
  async run({ service }: { service: string }) {
    const releases = await deploy.listReleases({ service, limit: 20 });
    const [newest] = releases
      .filter((r) => r.status === "built")
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    if (!newest) return `There is no new release of ${service}.`;

    const { version, author, env = "staging" } = newest;
    const { deploymentId, status } = await deploy.deploy({ service, version, env });
    return `${service} ${version} by ${author} on ${env}: ${status} (${deploymentId})`;
  },
});
