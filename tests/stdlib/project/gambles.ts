/** Breaks each guarantee: draws on and on, and reads the time twice. */
import { program } from "foreclaim";
import * as random from "./tools/random.ts";
import * as time from "./tools/time.ts";

export default program({
  guarantees: [
    time.onlyIn("UTC"),
    time.readsAtMost(1),
    random.within(0, 1),
    random.longTokens(32),
    random.drawsAtMost(2),
  ],
  async run() {
    for (const zone of ["UTC", "Europe/Berlin"]) await time.now({ zone });
    for (const to of [1, 2, 3]) await random.integer({ from: 0, to });
    await random.token({ bytes: 16 });
  },
});
