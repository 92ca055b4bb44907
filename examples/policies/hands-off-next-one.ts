/** Wrong: hands one service over and continues with the next. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.handsOff()],
  async run() {
    for (const service of ["web", "api"]) {
      const isWell = await ops.health({ service });
      if (isWell) continue;
      await ops.restart({ service });
      if (!(await ops.health({ service }))) await ops.escalate({ to: "ann", why: service });
    }
  },
});
