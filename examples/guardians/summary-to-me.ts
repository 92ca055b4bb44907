/** Sends a summary of the inbox to its owner: by destination, whatever the emails say. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.inside("corp.example"), mail.only(["ann@corp.example"])],
  async run() {
    const mails = await mail.fetch();
    const body = await mail.summarize({ text: mails.map((one) => one.body).join("\n") });
    await mail.send({ to: "ann@corp.example", body });
  },
});
