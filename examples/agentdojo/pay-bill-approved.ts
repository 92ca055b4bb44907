/** The bill says where the money goes, and the person approves it. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";
import * as person from "./tools/person";
import * as reader from "./tools/reader";

export default program({
  guarantees: [banking.onlyTools(["send_money"]), banking.onlyTo([])],
  async run() {
    const bill = await banking.read_file({ file_path: "bill.txt" });
    const found = await reader.text({ what: "IBAN", from: bill });
    const recipient = await person.approve({ what: "pay the bill to", text: found });
    const amount = await reader.amount({ what: "the total", from: bill });
    await banking.send_money({ recipient, amount, subject: "bill.txt", date: "2026-01-05" });
  },
});
