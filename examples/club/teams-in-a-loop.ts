/** Writes to everybody in every team: a loop in a loop, over what comes with the first. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.atMost(40)],
  async run() {
    for (const team of await club.teams()) {
      for (const address of team.addresses) await club.send({ to: address, body: `News of ${team.name}` });
    }
  },
});
