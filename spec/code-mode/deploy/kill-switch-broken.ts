/**
 * Task: Turn off the flag "instant-search" everywhere, because it overloads the database.
 * Verdict: broken — onlyFlag("instant-search")
 * Why: Every flag whose key contains "instant-search" is turned off, also "instant-search-logging".
 * Features: nested loops, JSON.parse, includes filter, Promise.all
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.onlyFlag("instant-search"), deploy.rolloutMax(0), deploy.maxDeploys(0)],
  async run() {
    const off: string[] = [];
    for (const env of ["production", "staging"] as const) {
      const { flags } = JSON.parse(await deploy.listFlags({ env })) as {
        flags: { key: string; enabled: boolean }[];
      };
      const matching = flags.filter((f) => f.enabled && f.key.includes("instant-search"));
      await Promise.all(matching.map((f) => deploy.setFlag({ key: f.key, env, enabled: false })));
      off.push(...matching.map((f) => `${env}/${f.key}`));
    }
    return off;
  },
});
