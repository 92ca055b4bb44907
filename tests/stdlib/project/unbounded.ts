/** Draws between numbers of an input, and reads the time of any zone: what the tools require does not hold. */
import { program } from "foreclaim";
import * as random from "./tools/random.ts";
import * as time from "./tools/time.ts";

export default program({
  guarantees: [random.drawsAtMost(1)],
  async run({ zone, isLate }: { zone: string; isLate: boolean }) {
    if (isLate) await time.now({ zone });
    else await random.integer({ from: 6, to: 1 });
  },
});
