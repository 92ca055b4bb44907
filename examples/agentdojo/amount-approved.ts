/** The amount is computed from transactions, and the person approves it before the friend gets to see it. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";
import * as person from "./tools/person";

const FRIEND = "GB33BUKB20201555555555";

export default program({
  guarantees: [banking.onlyTo([FRIEND])],
  async run() {
    const made = await banking.get_most_recent_transactions({ n: 10 });
    const total = made.reduce((sum, one) => sum + one.amount, 0);
    const amount = await person.approveNumber({ what: "send to the friend", value: total });
    await banking.send_money({ recipient: FRIEND, amount, subject: "Share", date: "2026-01-05" });
  },
});
