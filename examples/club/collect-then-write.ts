/** Collects addresses in a list of its own, and writes to them afterwards. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers()],
  async run() {
    const late: string[] = [];
    for (const member of await club.members()) {
      if (member.due > 10) late.push(member.email);
    }
    for (const to of late) await club.send({ to, body: "You are late" });
  },
});
