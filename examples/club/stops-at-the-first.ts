/** Wrong: `break` where `continue` was meant, so that members after the first inactive one hear nothing. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.everyActiveHears()],
  async run() {
    for (const member of await club.members()) {
      if (!member.active) break;
      await club.send({ to: member.email, body: `Dear ${member.name}` });
    }
  },
});
