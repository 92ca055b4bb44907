/** Sends back what a friend sent: of each transaction the friend learns only what was in it, and they were part of it. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";

const FRIEND = "GB33BUKB20201555555555";

export default program({
  guarantees: [banking.onlyTo([FRIEND])],
  async run() {
    for (const { sender, amount } of await banking.get_most_recent_transactions({ n: 10 })) {
      if (sender !== FRIEND) continue;
      await banking.send_money({ recipient: FRIEND, amount, subject: "Refund", date: "2026-01-05" });
    }
  },
});
