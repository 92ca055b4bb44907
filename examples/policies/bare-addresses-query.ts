/** Wrong: what was asked goes into the address, and the server reads it. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.bareAddresses()],
  async run() {
    const [note] = await web.notes();
    await web.get({ url: `https://help.example.com/search?q=${note ?? "help"}` });
  },
});
