/** Writes to every active member, and promises that nobody of them is left out. */
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
