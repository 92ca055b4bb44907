/** Wrong: the copy is made after the file was written over, when there is nothing left to keep. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.backedUp()],
  async run() {
    await fs.lock({ path: "/data" });
    await fs.write({ path: "/data", text: "new" });
    await fs.copy({ from: "/data", path: "/data.bak" });
    await fs.release({ path: "/data" });
  },
});
