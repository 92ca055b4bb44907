/** Wrong: returns early when the file is the same, and leaves it locked. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.nothingLockedAtEnd(), fs.changesOnly(["/note"])],
  async run({ text }: { text: string }) {
    await fs.lock({ path: "/note" });
    const now = await fs.read({ path: "/note" });
    if (now === text) return;
    await fs.write({ path: "/note", text });
    await fs.release({ path: "/note" });
  },
});
