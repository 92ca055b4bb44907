/** Wrong: a subscriber is not always a member, and only the loop writes to one. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.onlyMembers()],
  async run() {
    await club.members();
    for (const address of await club.subscribers()) await club.send({ to: address, body: "Hello" });
  },
});
