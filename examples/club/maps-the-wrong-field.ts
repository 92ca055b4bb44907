/** Wrong: maps the rows to names, which are no addresses. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers()],
  async run() {
    const addresses = (await club.members()).filter((one) => one.due > 0).map((one) => one.name);
    for (const to of addresses) await club.send({ to, body: "Your dues are open" });
  },
});
