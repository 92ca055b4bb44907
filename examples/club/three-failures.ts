/** Stops after three failures: a count of calls that fail, and `return` in a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportsAtMost(3)],
  async run() {
    let failures = 0;
    for (const address of await club.subscribers()) {
      try {
        await club.send({ to: address, body: "Hello" });
      } catch {
        await club.report({ about: address });
        failures++;
        if (failures === 3) return;
      }
    }
  },
});
