/** Reads orders page by page until a page is empty, however many there are, and closes the session. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.readOnly(), http.loggedOutAtEnd()],
  async run() {
    await http.login({ user: "ada" });
    while (true) {
      const { status, body } = await http.get({ url: "https://api.example.com/orders/next-page" });
      if (status !== 200 || body === "") break;
    }
    await http.logout();
  },
});
