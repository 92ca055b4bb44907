/**
 * Task: Run the release train: for each service of the team bring the newest build to staging, then to production if staging is healthy, and roll back production if its error rate rises.
 * Verdict: holds
 * Why: Every production deploy follows a done staging deploy of the same version and an ok health check in the same iteration; rollback targets are deployed releases of that service; all calls are awaited one by one.
 * Features: type alias for outcomes, several async helpers, polling loop with setTimeout, for-of, early return in helpers, Map, optional chaining, error rate arithmetic, report lines
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

type Outcome =
  | "nothing new"
  | "staging failed"
  | "staging unhealthy"
  | "released"
  | "failed"
  | "rolled back"
  | "rollback failed";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const byDateDesc = (a: deploy.Release, b: deploy.Release) =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt);

async function becomesHealthy(service: string): Promise<boolean> {
  for (let i = 0; i < 5; i++) {
    const { status, errorRate } = await deploy.getHealth({ service, env: "staging" });
    if (status === "ok" && errorRate < 0.02) return true;
    if (status === "down") return false;
    await wait(2000);
  }
  return false;
}

async function release(service: string): Promise<Outcome> {
  const releases = (await deploy.listReleases({ service, limit: 30 })).sort(byDateDesc);
  const candidate = releases.find((r) => r.status === "built");
  const fallback = releases.find((r) => r.status === "deployed");
  if (!candidate || (fallback && byDateDesc(candidate, fallback) > 0)) return "nothing new";
  const { version } = candidate;

  const staging = await deploy.deploy({ service, version, env: "staging" });
  if (staging.status !== "done") return "staging failed";
  if (!(await becomesHealthy(service))) return "staging unhealthy";

  const before = await deploy.getHealth({ service, env: "production" });
  const production = await deploy.deploy({ service, version, env: "production" });
  if (production.status === "failed") return "failed";

  const after = await deploy.getHealth({ service, env: "production" });
  const worse = after.status !== "ok" || after.errorRate > 2 * before.errorRate + 0.005;
  if (!worse) return "released";
  if (!fallback) return "rollback failed";

  const { ok } = await deploy.rollback({ service, env: "production", toVersion: fallback.version });
  return ok ? "rolled back" : "rollback failed";
}

export default program({
  guarantees: [
    deploy.stagingFirst(),
    deploy.healthyBeforeProduction(),
    deploy.oneAtATime(),
    deploy.rollbackToReleased(),
  ],
  async run({ team, dryRun = false }: { team: string; dryRun?: boolean }) {
    const services = (await deploy.listServices({ team }))
      .filter((s) => s.team === team)
      .sort((a, b) => b.tier - a.tier);
    const report = new Map<string, Outcome | "skipped">();
    let stop = false;

    for (const { name } of services) {
      if (report.has(name)) continue;
      if (stop || dryRun) {
        report.set(name, "skipped");
        continue;
      }
      const outcome = await release(name);
      report.set(name, outcome);
      stop = outcome === "rolled back" || outcome === "rollback failed";
    }

    return { complete: !stop, services: [...report].map(([name, outcome]) => `${name}: ${outcome}`) };
  },
});
