/** Refused: a second program beside the first; one could be proved and the other one run. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.gentle(1)],
  async run() {
    await lims.thaw({ sample: "s1" });
  },
});

export const other = program({
  guarantees: [lims.gentle(1)],
  async run() {
    for (let i = 0; i < 3; i++) await lims.thaw({ sample: "s1" });
  },
});
