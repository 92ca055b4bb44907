/**
 * Task: Redeploy all services of my team to staging, strictly one after the other, and stop at the first failure.
 * Verdict: holds
 * Why: Each deploy is awaited before the next one starts and all go to staging.
 * Features: for-of with await, optional version, Set of names, break, result map
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.oneAtATime(), deploy.onlyStaging()],
  async run({ team }: { team: string }) {
    const services = await deploy.listServices({ team });
    const results = new Map<string, string>();

    for (const s of services) {
      const version = s.version.staging;
      if (s.team !== team || results.has(s.name)) continue;
      if (!version) {
        results.set(s.name, "not on staging");
        continue;
      }
      const { status } = await deploy.deploy({ service: s.name, version, env: "staging" });
      results.set(s.name, status);
      if (status === "failed") break;
    }
    return Object.fromEntries(results);
  },
});
