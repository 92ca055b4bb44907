/**
 * Task: Adapt the replicas of my team's services to their CPU load, always between 2 and 10 replicas.
 * Verdict: broken — replicasBetween(2, 10)
 * Why: Scaling down has no lower bound: three replicas at low load become one.
 * Features: helper with early returns, Promise.all, filter, Math.min
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

function wantedReplicas(current: number, cpu: number): number {
  if (cpu > 75) return Math.min(10, Math.max(2, Math.ceil(current * 1.5)));
  if (cpu < 20 && current > 2) return Math.min(10, Math.floor(current / 2));
  return current;
}

export default program({
  guarantees: [deploy.replicasBetween(2, 10), deploy.maxDeploys(0)],
  async run({ team, env }: { team: string; env: deploy.Env }) {
    const services = (await deploy.listServices({ team })).filter((s) => s.team === team);
    const changes = await Promise.all(
      services.map(async ({ name, replicas }) => {
        const { cpuPercent } = await deploy.getHealth({ service: name, env });
        const to = wantedReplicas(replicas, cpuPercent);
        if (to !== replicas) await deploy.scale({ service: name, env, replicas: to });
        return { service: name, from: replicas, to };
      }),
    );
    return changes.filter((c) => c.from !== c.to);
  },
});
