/** Refused: two default exports; one could be proved and the other one run. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.gentle(1)],
  async run() {
    await lims.thaw({ sample: "s1" });
  },
});

export default program({
  guarantees: [lims.gentle(1)],
  async run() {
    for (let i = 0; i < 3; i++) await lims.thaw({ sample: "s1" });
  },
});
