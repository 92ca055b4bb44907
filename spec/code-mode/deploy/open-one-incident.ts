/**
 * Task: If any tier-1 service is down or degraded in production, open one incident that names all of them.
 * Verdict: holds
 * Why: openIncident is called once, after all services are checked.
 * Features: Promise.allSettled, filter with index, some, severity literal by condition, list text
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.incidentsAtMost(1), deploy.maxDeploys(0)],
  async run() {
    const services = (await deploy.listServices({})).filter((s) => s.tier === 1);
    const checks = await Promise.allSettled(
      services.map((s) => deploy.getHealth({ service: s.name, env: "production" })),
    );

    const sick: { name: string; status: string }[] = [];
    checks.forEach((check, i) => {
      const status = check.status === "fulfilled" ? check.value.status : "unknown";
      if (status !== "ok") sick.push({ name: services[i].name, status });
    });
    if (sick.length === 0) return { incident: null, checked: services.length };

    const severity = sick.some((s) => s.status === "down") ? 1 : 2;
    const { id } = await deploy.openIncident({
      title: `${sick.length} tier-1 service(s) not ok: ${sick.map((s) => `${s.name} ${s.status}`).join(", ")}`,
      severity,
      services: sick.map((s) => s.name),
    });
    return { incident: id, severity, sick };
  },
});
