/** Refused: a program cannot put something else in the place of a tool that it imports. */
import { program } from "foreclaim";
import { calibrate, gentle, thaw } from "./tools/lims";

export default program({
  guarantees: [gentle(1)],
  async run() {
    thaw = calibrate;
    await thaw({ sample: "s1" });
  },
});
