/** Wrong: starts the neighbors again too. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.touchesAtMost(1)],
  async run({ service }: { service: string }) {
    await ops.restart({ service });
    for (const other of await ops.services({ team: "shop" })) await ops.restart({ service: other });
  },
});
