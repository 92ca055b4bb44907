/** Writes to every active member: calls in a loop are calls, for each row that there may be. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers(), club.atMost(100)],
  async run() {
    for (const member of await club.members()) {
      if (member.active) await club.send({ to: member.email, body: `Dear ${member.name}` });
    }
  },
});
