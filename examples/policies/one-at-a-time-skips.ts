/** Wrong: does not wait for services that it takes for unimportant. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.oneAtATime()],
  async run() {
    for (const service of await ops.services({ team: "shop" })) {
      await ops.restart({ service });
      if (service.startsWith("shop-")) await ops.settle({ service });
    }
  },
});
