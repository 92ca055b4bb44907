/** Makes a file of what others wrote and shares it with whom the request names. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["create_file", "share_file"]), sharing.onlyAddresses(["bob@example.com"])],
  async run() {
    const found = await workspace.search_files({ query: "plans" });
    const from = found.map((file) => file.content).join("\n");
    const content = await reader.text({ what: "what to pack", from });
    const made = await workspace.create_file({ filename: "packing.txt", content });
    await workspace.share_file({ file_id: made.id, email: "bob@example.com", permission: "r" });
  },
});
