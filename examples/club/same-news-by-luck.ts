/** Wrong: the two get one text only if both happen to be in the lists of the two loops. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.sameText("ada@example.com", "bob@example.com")],
  async run() {
    for (const member of await club.members()) await club.send({ to: member.email, body: "News" });
    for (const address of await club.subscribers()) await club.send({ to: address, body: "News" });
  },
});
