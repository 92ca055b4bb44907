/** Asks until the answer is right, which may be never: the run is then interrupted, and has sent nothing. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.readOnly()],
  async run() {
    let done = false;
    while (!done) {
      const { body } = await http.get({ url: "https://api.example.com/orders/17" });
      done = body.includes("done");
    }
  },
});
