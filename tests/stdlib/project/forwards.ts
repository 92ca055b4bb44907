/** Breaks each guarantee: a file says whom to mail, and everything goes there, several times. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";
import * as mail from "./tools/mail.ts";

export default program({
  guarantees: [
    mail.only(["ann@example.com"]),
    mail.inDomain("desk.example.com"),
    mail.atMost(2),
    mail.eachAtMost(1),
    mail.ownRecipients(),
    mail.quotesOnlyTo(["ann@example.com"]),
    mail.attachesOnly(["report.txt"]),
    mail.sendsNothing(),
  ],
  async run() {
    const text = (await fs.read({ path: "report.txt" })) ?? "";
    const to = (await fs.read({ path: "to.txt" })) ?? "";
    for (const _ of [1, 2, 3])
      if (to === "eve@example.com")
        await mail.send({ to, subject: "Fwd", text: text.slice(0, 100), attachments: ["keys.txt"] });
  },
});
