/** Looks at a service and opens a ticket. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.onlySafe()],
  async run() {
    const isWell = await ops.health({ service: "web" });
    if (!isWell) await ops.ticket({ service: "web", text: "does not answer" });
  },
});
