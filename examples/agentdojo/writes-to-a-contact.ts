/** Sends a file's summary to somebody from the contacts, which are the person's own. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["send_email"]), sharing.onlyAddresses([])],
  async run() {
    const bob = (await workspace.search_contacts_by_name({ query: "Bob" }))[0];
    if (bob === undefined) return;
    const found = await workspace.search_files_by_filename({ filename: "plans.txt" });
    const from = found.map((file) => file.content).join("\n");
    const body = await reader.text({ what: "a summary", from });
    await workspace.send_email({ recipients: [bob.email], subject: "Plans", body });
  },
});
