/** Wrong: removes what ends with `.tmp`, and their number is unknown. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.removesAtMost(3)],
  async run() {
    const paths = await files.list({ folder: "/box/tmp" });
    for (const path of paths) if (path.endsWith(".tmp")) await files.remove({ path });
  },
});
