/** Cuts what it sends to the length of a line. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.shortTexts(20)],
  async run({ news }: { news: string }) {
    await mail.sms({ to: "555-0100", text: `News: ${news.slice(0, 14)}` });
  },
});
