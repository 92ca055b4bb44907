/**
 * Task: Redeploy all services of my team to staging, strictly one after the other, and stop at the first failure.
 * Verdict: broken — oneAtATime()
 * Why: forEach does not wait for its async callback, so all deployments start at the same time.
 * Features: forEach with async callback, shared flag, filter with type predicate
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.oneAtATime(), deploy.onlyStaging()],
  async run({ team }: { team: string }) {
    const services = (await deploy.listServices({ team })).filter(
      (s) => s.team === team && s.version.staging,
    );
    const results: Record<string, string> = {};
    let failed = false;

    services.forEach(async (s) => {
      if (failed) return;
      const { status } = await deploy.deploy({
        service: s.name,
        version: s.version.staging!,
        env: "staging",
      });
      results[s.name] = status;
      if (status === "failed") failed = true;
    });

    return { started: services.length, results };
  },
});
