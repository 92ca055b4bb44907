/**
 * Task: Adapt the replicas of my team's services to their CPU load, always between 2 and 10 replicas.
 * Verdict: holds
 * Why: The new number is clamped to 2..10 right before scale is called.
 * Features: for-of, if/else-if, Math.ceil/floor, clamp with min and max, skip when unchanged, array of changes
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

const MIN = 2;
const MAX = 10;

export default program({
  guarantees: [deploy.replicasBetween(2, 10), deploy.maxDeploys(0)],
  async run({ team, env }: { team: string; env: deploy.Env }) {
    const services = await deploy.listServices({ team });
    const changes: { service: string; from: number; to: number }[] = [];

    for (const { name, team: owner, replicas } of services) {
      if (owner !== team) continue;
      const { cpuPercent, status } = await deploy.getHealth({ service: name, env });
      let wanted = replicas;
      if (cpuPercent > 75 || status !== "ok") wanted = Math.ceil(replicas * 1.5);
      else if (cpuPercent < 20) wanted = Math.floor(replicas / 2);

      wanted = Math.min(MAX, Math.max(MIN, wanted));
      if (wanted === replicas) continue;
      await deploy.scale({ service: name, env, replicas: wanted });
      changes.push({ service: name, from: replicas, to: wanted });
    }
    return changes;
  },
});
