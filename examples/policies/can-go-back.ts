/** Notes how a service is before it deploys it. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.canGoBack()],
  async run() {
    for (const service of ["web", "api"]) {
      await ops.snapshot({ service });
      await ops.deploy({ service, version: "2.0", hour: 10 });
    }
  },
});
