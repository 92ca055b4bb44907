/** Wrong: a helper that writes two emails is called once per team, which makes six and not three. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const announce = async (team: string) => {
  await email.send({ addr: `${team}@example.com`, msg: "New rooms from Monday." });
  await email.send({ addr: `${team}-lead@example.com`, msg: "Please tell your team." });
};

export default program({
  guarantees: [email.uniqueRecipients(), email.atMost(3)],
  async run() {
    for (const team of ["red", "green", "blue"]) {
      await announce(team);
    }
  },
});
