/** Wrong: notes the address as told before it knows whether the board was told. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    const told: string[] = [];
    for (const { email, due, active } of await club.members()) {
      if (!told.includes(email)) {
        if (active) await club.report({ about: email });
        told.push(email);
      }
      await club.pay({ to: email, amount: due });
    }
  },
});
