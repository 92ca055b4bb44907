/** Asks the host that an answer names: what `get` requires does not hold. */
import { program } from "foreclaim";
import * as http from "./tools/http.ts";

export default program({
  guarantees: [http.atMost(2)],
  async run() {
    const { body } = await http.get({ url: "https://api.example.com/next" });
    await http.get({ url: body });
  },
});
