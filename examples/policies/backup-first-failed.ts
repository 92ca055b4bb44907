/** Wrong: goes on when the backup failed. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.backupFirst()],
  async run() {
    for (const path of ["/box/a.txt", "/box/b.txt"]) {
      try {
        await files.backup({ path });
      } catch {
        await files.write({ path: "/box/log.txt", text: `no backup of ${path}` });
      }
      await files.remove({ path });
    }
  },
});
