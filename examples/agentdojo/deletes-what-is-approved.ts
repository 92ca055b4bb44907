/** The largest file is found, and deleted only after the person has seen which one it is. */
import { program } from "foreclaim";
import * as person from "./tools/person";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["delete_file"]), sharing.onlyRemoved([])],
  async run() {
    const files = await workspace.list_files();
    const none = { id: "", size: 0 };
    const largest = files.reduce((best, { id, size }) => (size > best.size ? { id, size } : best), none);
    const file_id = await person.approve({ what: "delete the file", text: largest.id });
    await workspace.delete_file({ file_id });
  },
});
