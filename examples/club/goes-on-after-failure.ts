/** Wrong: reports a failure and goes on writing. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.silentAfterReport()],
  async run() {
    for (const address of await club.subscribers()) {
      try {
        await club.send({ to: address, body: "Hello" });
      } catch {
        await club.report({ about: address });
      }
    }
  },
});
