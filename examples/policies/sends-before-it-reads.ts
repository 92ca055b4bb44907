/** Sends its report first, and reads pages of others afterwards. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.sendsBeforeItReads()],
  async run({ urls }: { urls: string[] }) {
    await web.chat({ channel: "team", text: "I look at the pages now." });
    for (const url of urls) await web.get({ url });
  },
});
