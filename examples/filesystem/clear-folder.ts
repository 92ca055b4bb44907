/** Removes everything in a folder: a loop over what a tool returned. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.removesLast(), fs.nothingLockedAtEnd()],
  async run() {
    for (const name of await fs.list({ path: "/tmp" })) {
      await fs.remove({ path: `/tmp/${name}` });
    }
  },
});
