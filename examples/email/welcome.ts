/** Welcomes a team: a loop over a list of constants, a template literal, one text for two people. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const TEAM = ["bob@example.com", "carol@example.com", "dave@example.com"];
const HOURS = { from: 9, to: 17 };

export default program({
  guarantees: [
    email.only(TEAM),
    email.uniqueRecipients(),
    email.atMost(3),
    email.sameContent("bob@example.com", "dave@example.com"),
    email.contentLengthAtMost(80),
  ],
  async run() {
    const text = `Welcome! The office is open from ${HOURS.from} to ${HOURS.to}.`;
    for (const addr of TEAM) {
      await email.send({ addr, msg: text });
    }
  },
});
