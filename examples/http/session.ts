/** Logs in, sends and logs out, whatever happens in between: `try` and `finally` with an early return. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.loggedOutAtEnd(), http.nothingAfterLogout(), http.onlyHeaders(["Authorization"])],
  async run() {
    const { token } = await http.login({ user: "agent" });
    try {
      if (token === "--------") return;
      const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
      await http.post({ url: "https://api.example.com/orders", body: "{}", headers });
    } finally {
      await http.logout();
    }
  },
});
