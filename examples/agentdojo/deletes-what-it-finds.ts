/** Wrong: a stranger who can put a file into the drive decides which one is deleted. */
import { program } from "foreclaim";
import * as sharing from "./tools/sharing";
import * as workspace from "./tools/workspace";

export default program({
  guarantees: [sharing.onlyTools(["delete_file"])],
  async run() {
    const files = await workspace.list_files();
    const largest = files.find((file) => files.every((other) => other.size <= file.size));
    if (largest !== undefined) await workspace.delete_file({ file_id: largest.id });
  },
});
