/** Wrong: the hour that begins at five is not before five. */
import { type Int, program } from "foreclaim";
import * as ops from "./tools/ops";

export default program({
  guarantees: [ops.between(9, 17)],
  async run({ hour }: { hour: Int }) {
    if (hour < 9 || hour > 17) return;
    await ops.deploy({ service: "web", version: "2.0", hour });
  },
});
