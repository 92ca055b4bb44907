/**
 * Task: How healthy are my team's services in production? Worst first, please.
 * Verdict: holds
 * Why: Only listServices and getHealth are called.
 * Features: Promise.all, Record rank for sorting, sort by several keys, toFixed, spread
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

const RANK: Record<deploy.Health["status"], number> = { down: 0, degraded: 1, ok: 2 };

export default program({
  guarantees: [deploy.readOnly()],
  async run({ team }: { team: string }) {
    const services = (await deploy.listServices({ team })).filter((s) => s.team === team);
    const rows = await Promise.all(
      services.map(async (s) => ({
        ...s,
        health: await deploy.getHealth({ service: s.name, env: "production" }),
      })),
    );

    rows.sort(
      (a, b) =>
        RANK[a.health.status] - RANK[b.health.status] ||
        a.tier - b.tier ||
        b.health.errorRate - a.health.errorRate ||
        a.name.localeCompare(b.name),
    );
    return rows.map(
      ({ name, tier, health }) =>
        `${name} (tier ${tier}): ${health.status}, ${(health.errorRate * 100).toFixed(2)}% errors, p95 ${health.p95Ms} ms`,
    );
  },
});
