/** Draws one of two people on a workday, and a ticket. */
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
    const { weekday } = await time.now({ zone: "UTC" });
    if (weekday > 5) return null;
    const drawn = await random.integer({ from: 0, to: 1 });
    return { winner: drawn === 0 ? "ann" : "bob", ticket: await random.token({ bytes: 32 }) };
  },
});
