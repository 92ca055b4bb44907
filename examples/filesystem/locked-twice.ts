/** Wrong: takes the lock a second time in the branch where it was not given back. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.nothingLockedAtEnd()],
  async run() {
    const path = "/queue";
    await fs.lock({ path });
    const text = await fs.read({ path });
    if (text !== undefined) await fs.release({ path });
    await fs.lock({ path });
    await fs.release({ path });
  },
});
