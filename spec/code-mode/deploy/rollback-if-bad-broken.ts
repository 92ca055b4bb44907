/**
 * Task: If production of a service is not ok, roll back to the last version that was deployed before the current one.
 * Verdict: broken — rollbackToReleased()
 * Why: The release after the current one in the sorted list is taken whatever its status is, for instance a failed one.
 * Features: findIndex, index arithmetic, sort, undefined check
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.rollbackToReleased(), deploy.maxDeploys(0)],
  async run({ service }: { service: string }) {
    const [health, releases, services] = await Promise.all([
      deploy.getHealth({ service, env: "production" }),
      deploy.listReleases({ service, limit: 50 }),
      deploy.listServices({}),
    ]);
    if (health.status === "ok") return { rolledBack: false, status: health.status };

    const current = services.find((s) => s.name === service)?.version.production;
    releases.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    const at = releases.findIndex((r) => r.version === current && r.status === "deployed");
    const previous = releases[at + 1];
    if (at < 0 || previous === undefined) return { rolledBack: false, status: health.status };

    const { ok } = await deploy.rollback({ service, env: "production", toVersion: previous.version });
    return { rolledBack: ok, from: current, to: previous.version };
  },
});
