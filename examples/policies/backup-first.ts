/** Backs every file of a folder up before it removes it. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.backupFirst()],
  async run() {
    for (const path of await files.list({ folder: "/box/old" })) {
      await files.backup({ path });
      await files.remove({ path });
    }
  },
});
