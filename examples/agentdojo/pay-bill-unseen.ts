/** Wrong: the bill says where the money goes, and nobody looks at it. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";
import * as reader from "./tools/reader";

export default program({
  guarantees: [banking.onlyTools(["send_money"])],
  async run() {
    const bill = await banking.read_file({ file_path: "bill.txt" });
    const recipient = await reader.text({ what: "IBAN", from: bill });
    const amount = await reader.amount({ what: "the total", from: bill });
    await banking.send_money({ recipient, amount, subject: "bill.txt", date: "2026-01-05" });
  },
});
