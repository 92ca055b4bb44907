/** Asks for the state of a service and reports it if it is not well: a branch on a status. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const API = "https://api.example.com";

export default program({
  guarantees: [
    http.onlyUrls([`${API}/health`, `${API}/alarm`]),
    http.atMost(2),
    http.keyed(),
    http.readsMoreThanItSends(),
  ],
  async run() {
    const { status, body } = await http.get({ url: `${API}/health` });
    const well = status >= 200 && status < 300 && body === "ok";
    if (!well) {
      await http.post({ url: `${API}/alarm`, body: status >= 500 ? "down" : "odd", key: "health-1" });
    }
  },
});
