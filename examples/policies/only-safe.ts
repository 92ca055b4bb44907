/** Looks around and opens a ticket: an allow-list of tools. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.onlySafe()],
  async run() {
    const isWell = await ops.health({ service: "web" });
    if (!isWell) await ops.ticket({ service: "web", text: "does not answer" });
  },
});
