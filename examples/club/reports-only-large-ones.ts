/** Wrong: the first loop leaves out what the second pays. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.reportedBefore()],
  async run() {
    const members = await club.members();
    for (const { email, due } of members) if (due > 10) await club.report({ about: email });
    for (const { email, due } of members) await club.pay({ to: email, amount: due });
  },
});
