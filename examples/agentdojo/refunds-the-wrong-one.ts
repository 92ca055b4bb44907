/** Wrong: somebody else gets to see what the friend's transaction tells. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";

const FRIEND = "GB33BUKB20201555555555";
const OTHER = "US64SVBKUS6S3300958879";

export default program({
  guarantees: [banking.onlyTo([FRIEND, OTHER])],
  async run() {
    for (const { sender, amount } of await banking.get_most_recent_transactions({ n: 10 })) {
      if (sender !== FRIEND) continue;
      await banking.send_money({ recipient: OTHER, amount, subject: "Refund", date: "2026-01-05" });
    }
  },
});
