/** Looks one row up and writes to it, if there is one: `find`. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers(), club.atMost(1)],
  async run() {
    const treasurer = (await club.members()).find((one) => one.name === "Ada");
    if (treasurer !== undefined) await club.send({ to: treasurer.email, body: "The books are open" });
  },
});
