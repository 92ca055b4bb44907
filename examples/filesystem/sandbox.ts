/** Writes a note below one folder, under a name that was looked at: a regular expression, and `pathInside`. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.changesInside("/sandbox"), fs.nothingLockedAtEnd()],
  async run({ name }: { name: string }) {
    if (!/^[a-z0-9-]{1,20}$/.test(name)) throw new Error("this is no name for a note");
    const path = `/sandbox/notes/${name}.txt`;
    await fs.lock({ path });
    await fs.write({ path, text: "hello" });
    await fs.release({ path });
  },
});
