/** Looks at every service of a team and changes none. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.readOnly()],
  async run() {
    for (const service of await ops.services({ team: "shop" })) {
      const isWell = await ops.health({ service });
      if (!isWell) await ops.ticket({ service, text: "does not answer" });
    }
  },
});
