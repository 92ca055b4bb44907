/** Thaws a sample up to three times until it is accepted: `while` with a bound and a condition. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.gentle(3), lims.onlySamples(["s1"])],
  async run() {
    let tries = 0;
    let accepted = false;
    while (tries < 3 && !accepted) {
      tries += 1;
      await lims.thaw({ sample: "s1" });
      const answer = await lims.review({ sample: "s1", reason: `try ${tries}` });
      accepted = answer.accepted;
    }
  },
});
