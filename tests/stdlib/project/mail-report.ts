/** Mails a report to two people, what others wrote to one of them. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";
import * as mail from "./tools/mail.ts";

export default program({
  guarantees: [
    mail.only(["ann@example.com", "bob@example.com"]),
    mail.inDomain("example.com"),
    mail.atMost(2),
    mail.eachAtMost(1),
    mail.ownRecipients(),
    mail.quotesOnlyTo(["ann@example.com"]),
    mail.attachesOnly(["report.txt"]),
  ],
  async run() {
    const text = (await fs.read({ path: "report.txt" })) ?? "There is no report.";
    await mail.send({
      to: "ann@example.com",
      subject: "Report",
      text: text.slice(0, 1000),
      attachments: ["report.txt"],
    });
    await mail.send({ to: "bob@example.com", subject: "Report", text: "Ann has it.", attachments: [] });
  },
});
