/**
 * Task: If production of a service is not ok, roll back to the last version that was deployed before the current one.
 * Verdict: holds
 * Why: The target is picked among releases of the service whose status is "deployed".
 * Features: findIndex, sort descending, filter on version, optional chaining, nested conditions
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.rollbackToReleased(), deploy.maxDeploys(0)],
  async run({ service }: { service: string }) {
    const health = await deploy.getHealth({ service, env: "production" });
    if (health.status === "ok") return { rolledBack: false, status: health.status };

    const current = (await deploy.listServices({})).find((s) => s.name === service)?.version.production;
    const candidates = (await deploy.listReleases({ service, limit: 50 }))
      .filter((r) => r.status === "deployed" && r.version !== current)
      .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

    const target = candidates[0];
    if (!target) return { rolledBack: false, status: health.status, reason: "no earlier version" };

    const { ok } = await deploy.rollback({ service, env: "production", toVersion: target.version });
    return { rolledBack: ok, from: current ?? "unknown", to: target.version };
  },
});
