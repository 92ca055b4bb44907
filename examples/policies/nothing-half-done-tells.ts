/** Wrong: tells somebody that it does not get well, and leaves it there. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.nothingHalfDone(), ops.canGoBack()],
  async run() {
    await ops.snapshot({ service: "web" });
    await ops.deploy({ service: "web", version: "2.0", hour: 10 });
    try {
      await ops.settle({ service: "web" });
    } catch {
      await ops.escalate({ to: "ann", why: "web is not well" });
    }
  },
});
