/** Wrong: counts what is written in one turn and forgets that the file grows with every turn. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.smallFiles(16), fs.nothingLockedAtEnd()],
  async run() {
    await fs.lock({ path: "/log" });
    for (const line of ["12345678", "12345678", "1"]) {
      await fs.write({ path: "/log", text: line, append: true });
    }
    await fs.release({ path: "/log" });
  },
});
