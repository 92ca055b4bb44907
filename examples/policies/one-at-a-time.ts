/** Starts services again one after the other, each when the last is well. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.oneAtATime()],
  async run() {
    for (const service of await ops.services({ team: "shop" })) {
      await ops.restart({ service });
      await ops.settle({ service });
    }
  },
});
