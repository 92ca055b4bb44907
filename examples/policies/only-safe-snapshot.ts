/** Wrong: also takes a snapshot, which the contract forbids. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.onlySafe()],
  async run() {
    const isWell = await ops.health({ service: "web" });
    if (!isWell) await ops.snapshot({ service: "web" });
  },
});
