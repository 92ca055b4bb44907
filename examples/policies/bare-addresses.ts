/** Asks for a page by a word of its path. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.bareAddresses()],
  async run({ topic }: { topic: string }) {
    if (!/^[a-z]+$/.test(topic)) return;
    await web.get({ url: `https://help.example.com/${topic}` });
  },
});
