/** Wrong: cuts the list after two, and a club may have more active members. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.everyActiveHears()],
  async run() {
    const active = (await club.members()).filter((member) => member.active);
    for (const { email, name } of active.slice(0, 2)) await club.send({ to: email, body: `Dear ${name}` });
  },
});
