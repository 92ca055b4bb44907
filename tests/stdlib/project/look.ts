/** Reads two notes and writes nothing. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";

export default program({
  guarantees: [fs.readOnly(), fs.readsInside(["notes", "reports"])],
  async run() {
    const note = await fs.read({ path: "notes/a.txt" });
    if (note === null) await fs.read({ path: "reports/a.txt" });
  },
});
