/** Tells the board once of everybody before their first payment: a list of whom it told, and order for each key. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    const told: string[] = [];
    for (const { email, due } of await club.members()) {
      if (!told.includes(email)) {
        await club.report({ about: email });
        told.push(email);
      }
      await club.pay({ to: email, amount: due });
    }
  },
});
