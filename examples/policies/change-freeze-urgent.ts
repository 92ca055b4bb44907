/** Wrong: what is urgent is done all the same. */
import { program } from "foreclaim";
import * as ops from "./tools/ops";

const FROZEN = ["checkout", "billing"];

export default program({
  guarantees: [ops.frozen(FROZEN)],
  async run({ service, urgent }: { service: string; urgent: boolean }) {
    if (FROZEN.includes(service) && !urgent) return;
    await ops.restart({ service });
  },
});
