/** Wrong: cuts at the limit and then adds dots. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.shortTexts(20)],
  async run({ news }: { news: string }) {
    const text = news.length > 20 ? `${news.slice(0, 20)}...` : news;
    await mail.sms({ to: "555-0100", text });
  },
});
