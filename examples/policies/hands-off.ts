/** Tries once, and leaves it to a person when that does not help. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.handsOff()],
  async run({ service }: { service: string }) {
    await ops.restart({ service });
    const isWell = await ops.health({ service });
    if (!isWell) await ops.escalate({ to: "ann", why: `${service} does not come back` });
  },
});
