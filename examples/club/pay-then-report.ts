/** Wrong: the board hears of each payment after it was made. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    for (const { email, due } of await club.members()) {
      await club.pay({ to: email, amount: due });
      await club.report({ about: email });
    }
  },
});
