/** Reminds some and thanks others in two loops, and nobody gets both: no value is shared across loops. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.notBoth()],
  async run() {
    const members = await club.members();
    for (const { email } of members.filter((one) => one.email.endsWith("@club.example")))
      await club.remind({ to: email, body: "Dues are open" });
    for (const { email } of members.filter((one) => !one.email.endsWith("@club.example")))
      await club.send({ to: email, body: "Thank you" });
  },
});
