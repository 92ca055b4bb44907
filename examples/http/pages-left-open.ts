/** Wrong: a page that is not found ends the run, and the session stays open. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.loggedOutAtEnd()],
  async run() {
    await http.login({ user: "ada" });
    while (true) {
      const { status, body } = await http.get({ url: "https://api.example.com/orders/next-page" });
      if (status === 404) return;
      if (status !== 200 || body === "") break;
    }
    await http.logout();
  },
});
