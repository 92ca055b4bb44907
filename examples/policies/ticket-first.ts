/** Opens a ticket for each service before it starts it again. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.ticketFirst()],
  async run() {
    for (const service of await ops.services({ team: "shop" })) {
      await ops.ticket({ service, text: "restart" });
      await ops.restart({ service });
    }
  },
});
