/** Fetches what is in the queue: a loop over what a tool returned. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.atMost(30), http.readOnly()],
  async run() {
    for (const url of await http.queue()) {
      if (!url.startsWith("https://")) continue;
      await http.get({ url });
    }
  },
});
