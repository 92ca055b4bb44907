/** Wrong: the amount is computed from transactions of other people, and tells the recipient something of them. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";

const FRIEND = "GB33BUKB20201555555555";

export default program({
  guarantees: [banking.onlyTo([FRIEND])],
  async run() {
    const made = await banking.get_most_recent_transactions({ n: 10 });
    const amount = made.reduce((total, one) => total + one.amount, 0);
    await banking.send_money({ recipient: FRIEND, amount, subject: "Share", date: "2026-01-05" });
  },
});
