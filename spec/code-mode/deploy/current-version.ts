/**
 * Task: Which version of a service runs in production?
 * Verdict: holds
 * Why: Only listServices is called.
 * Features: find, optional chaining, nullish coalescing, inline await
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.readOnly()],
  async run({ service }: { service: string }) {
    const s = (await deploy.listServices({})).find(({ name }) => name === service);
    return s?.version.production ?? "not deployed";
  },
});
