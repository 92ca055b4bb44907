/** Wrong: reminds or thanks for each row, but one address may stand in two rows. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.notBoth()],
  async run() {
    for (const { email, due } of await club.members()) {
      if (due > 0) await club.remind({ to: email, body: "Dues are open" });
      else await club.send({ to: email, body: "Thank you" });
    }
  },
});
