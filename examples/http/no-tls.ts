/** Wrong: follows an address from an answer without looking whether it is one that `get` allows. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.readOnly(), http.atMost(2)],
  async run() {
    const first = await http.get({ url: "https://api.example.com/next" });
    if (first.status === 302) await http.get({ url: first.body });
  },
});
