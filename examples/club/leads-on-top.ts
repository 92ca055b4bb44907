/** Wrong: writes to the lead of each team as well, and counts only the others. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.atMost(1)],
  async run() {
    for (const team of await club.teams()) {
      await club.send({ to: team.lead, body: "Your team gets news" });
      for (const address of team.addresses) await club.send({ to: address, body: `News of ${team.name}` });
    }
  },
});
