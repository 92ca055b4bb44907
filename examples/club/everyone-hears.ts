/** Writes to every active member, and guarantees that none of them is omitted. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.everyActiveHears()],
  async run() {
    for (const member of await club.members()) {
      if (!member.active) continue;
      await club.send({ to: member.email, body: `Dear ${member.name}` });
    }
  },
});
