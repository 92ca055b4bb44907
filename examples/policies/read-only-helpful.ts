/** Wrong: starts what does not answer again. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.readOnly()],
  async run() {
    for (const service of await ops.services({ team: "shop" })) {
      const isWell = await ops.health({ service });
      if (!isWell) await ops.restart({ service });
    }
  },
});
