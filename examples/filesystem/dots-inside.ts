/** Goes up and down again without leaving the folder: a path is normalized before it is compared. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const NOTES = ["/sandbox/a/../notes.txt", "/shared//./notes.txt"];

export default program({
  guarantees: [fs.readsInside(["/sandbox", "/shared/"]), fs.readOnly()],
  async run() {
    for (const path of NOTES) {
      const text = await fs.read({ path });
      if (text !== undefined) return;
    }
  },
});
