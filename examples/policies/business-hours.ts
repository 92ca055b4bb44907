/** Deploys in the morning, and otherwise opens a ticket. */
import { type Int, program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.between(9, 17)],
  async run({ hour }: { hour: Int }) {
    if (hour >= 9 && hour < 12) await ops.deploy({ service: "web", version: "2.0", hour });
    else await ops.ticket({ service: "web", text: "waits for the morning" });
  },
});
