/** Wrong: pays some of them twice as much. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.paidEach(5)],
  async run() {
    for (const { email, active } of await club.members())
      await club.pay({ to: email, amount: active ? 10 : 5 });
  },
});
