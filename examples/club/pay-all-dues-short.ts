/** Wrong: the sum over the rows can be more than was promised; three rows are enough. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(50)],
  async run() {
    for (const { email, due } of await club.members()) await club.pay({ to: email, amount: due });
  },
});
