/**
 * Task: If any tier-1 service is down or degraded in production, open one incident that names all of them.
 * Verdict: broken — incidentsAtMost(1)
 * Why: Down and degraded services are reported separately, so two incidents are opened when both kinds exist.
 * Features: partition by status, helper closure, Promise.all, optional calls by length
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.incidentsAtMost(1), deploy.maxDeploys(0)],
  async run() {
    const services = (await deploy.listServices({})).filter((s) => s.tier === 1);
    const health = await Promise.all(
      services.map((s) => deploy.getHealth({ service: s.name, env: "production" })),
    );

    const names = (status: deploy.Health["status"]) =>
      services.filter((_, i) => health[i].status === status).map((s) => s.name);
    const down = names("down");
    const degraded = names("degraded");

    const incidents: string[] = [];
    if (down.length > 0) {
      const { id } = await deploy.openIncident({
        title: `Down: ${down.join(", ")}`,
        severity: 1,
        services: down,
      });
      incidents.push(id);
    }
    if (degraded.length > 0) {
      const { id } = await deploy.openIncident({
        title: `Degraded: ${degraded.join(", ")}`,
        severity: 2,
        services: degraded,
      });
      incidents.push(id);
    }
    return { incidents, checked: services.length };
  },
});
