/** Writes to the addresses that are left of a list of rows: `filter` and `map`. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers(), club.atMost(100)],
  async run() {
    const addresses = (await club.members()).filter((one) => one.due > 0).map((one) => one.email);
    for (const to of addresses) await club.send({ to, body: "Your dues are open" });
  },
});
