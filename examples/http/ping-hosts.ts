/** Asks each host until one answers: `some`-like loop with `break`, a limit that is kept in state. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const HOSTS = ["a.example.com", "b.example.com", "a.example.com"];

export default program({
  guarantees: [http.politeTo(2), http.readOnly()],
  async run() {
    let alive: string | null = null;
    for (const host of HOSTS) {
      if (await http.ping({ host })) {
        alive = host;
        break;
      }
    }
    if (alive !== null) await http.get({ url: `https://${alive}/health` });
  },
});
