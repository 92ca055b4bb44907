/** Changes the password if a transaction looks odd: the new one stands in the request, only the moment is for others to say. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";

export default program({
  guarantees: [banking.onlyTools(["update_password"]), banking.onlyPasswords(["k7-blue-sky"])],
  async run() {
    const made = await banking.get_most_recent_transactions({});
    if (made.some(({ amount }) => amount > 10_000))
      await banking.update_password({ password: "k7-blue-sky" });
  },
});
