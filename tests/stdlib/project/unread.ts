/** Writes over a file that it has not read: what `replace` requires does not hold. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";

export default program({
  guarantees: [fs.writesInside("notes"), fs.writesAtMost(1)],
  async run() {
    await fs.replace({ path: "notes/a.txt", text: "new" });
  },
});
