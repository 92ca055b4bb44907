/** Writes to those that a filter leaves, which are all that matter. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.everyActiveHears()],
  async run() {
    const active = (await club.members()).filter((member) => member.active);
    for (const { email, name } of active) await club.send({ to: email, body: `Dear ${name}` });
  },
});
