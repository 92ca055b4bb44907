/** Reads all pages before it opens the vault. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.secretsLast()],
  async run() {
    const page = await web.get({ url: "https://help.example.com/login" });
    const token = await web.secret({ name: "help" });
    await web.chat({ channel: "vault", text: `${token.length} and ${page.length}` });
  },
});
