/** Wrong: one address in the list is no member's. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers()],
  async run() {
    const late: string[] = ["board@club.example"];
    for (const member of await club.members()) {
      if (member.due > 10) late.push(member.email);
    }
    for (const to of late) await club.send({ to, body: "You are late" });
  },
});
