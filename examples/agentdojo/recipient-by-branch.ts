/** Wrong: both accounts stand in the program, and the bill chooses between them. */
import { program } from "foreclaim";
import * as banking from "./tools/banking";

export default program({
  guarantees: [banking.onlyTo(["GB33BUKB20201555555555", "US64SVBKUS6S3300958879"])],
  async run() {
    const bill = await banking.read_file({ file_path: "bill.txt" });
    const recipient = bill.includes("dollar") ? "US64SVBKUS6S3300958879" : "GB33BUKB20201555555555";
    await banking.send_money({ recipient, amount: 98.7, subject: "bill.txt", date: "2026-01-05" });
  },
});
