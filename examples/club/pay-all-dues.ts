/** Pays what each member is owed: a sum over a field of the rows, bounded by how many there are. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.maxPaid(2000)],
  async run() {
    for (const { email, due } of await club.members()) await club.pay({ to: email, amount: due });
  },
});
