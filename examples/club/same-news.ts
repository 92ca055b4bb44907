/** Sends two people one text, and everybody else theirs in a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.sameText("ada@example.com", "bob@example.com")],
  async run() {
    for (const to of ["ada@example.com", "bob@example.com"]) await club.send({ to, body: "News" });
    for (const address of await club.subscribers()) await club.send({ to: address, body: "Hello" });
  },
});
