/** Wrong: reports between two pages, when the first may have told it what to say. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.sendsBeforeItReads()],
  async run({ urls }: { urls: string[] }) {
    for (const url of urls) {
      await web.chat({ channel: "team", text: `I look at ${url} now.` });
      await web.get({ url });
    }
  },
});
