/** Wrong: goes on when the wait for the few failed. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.canaryFirst()],
  async run() {
    await ops.roll({ service: "web", version: "2.0", to: "canary" });
    try {
      await ops.settle({ service: "web" });
    } catch {
      await ops.escalate({ to: "ann", why: "the canary is not well" });
    }
    await ops.roll({ service: "web", version: "2.0", to: "rest" });
  },
});
