/** Starts one service again and again, and no other: how many services, not how many calls. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.touchesAtMost(1)],
  async run({ service }: { service: string }) {
    for (let i = 0; i < 3; i++) {
      await ops.restart({ service });
      if (await ops.health({ service })) return;
    }
  },
});
