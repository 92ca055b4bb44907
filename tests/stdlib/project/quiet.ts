/** Reads a report and sends nothing. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";
import * as mail from "./tools/mail.ts";

export default program({
  guarantees: [mail.sendsNothing()],
  async run() {
    const text = (await fs.read({ path: "report.txt" })) ?? "";
    return text.length;
  },
});
