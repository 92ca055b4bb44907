/** Cuts what it sends to the length of a text message. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.shortTexts(160)],
  async run({ news }: { news: string }) {
    await mail.sms({ to: "555-0100", text: `News: ${news.slice(0, 150)}` });
  },
});
