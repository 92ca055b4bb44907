/** Wrong: the first round writes out before it reads, and the second round writes out after the first has read. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

const PARTNERS = ["pat@partner.example", "kim@partner.example"];

export default program({
  guarantees: [mail.quietAfterReading("corp.example")],
  async run() {
    for (const to of PARTNERS) {
      await mail.send({ to, body: "Good morning." });
      await mail.fetch();
    }
  },
});
