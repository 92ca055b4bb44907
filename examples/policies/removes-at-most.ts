/** Removes the oldest three files of a folder. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.removesAtMost(3)],
  async run() {
    const paths = await files.list({ folder: "/box/tmp" });
    for (const path of paths.slice(0, 3)) await files.remove({ path });
  },
});
