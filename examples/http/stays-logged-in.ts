/** Wrong: logs out only if the request was answered well. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.loggedOutAtEnd()],
  async run() {
    const { token } = await http.login({ user: "agent" });
    const { status } = await http.post({ url: "https://api.example.com/orders", body: token });
    if (status === 200) await http.logout();
  },
});
