/** Wrong: counts failures and goes on, so that the third is not the last. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportsAtMost(2)],
  async run() {
    let failures = 0;
    for (const address of await club.subscribers()) {
      try {
        await club.send({ to: address, body: "Hello" });
      } catch {
        await club.report({ about: address });
        failures++;
        if (failures === 3) continue;
      }
    }
  },
});
