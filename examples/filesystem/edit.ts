/** Changes a file only if it is there and says something else: null checks, `readsFirst`, early returns. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const PATH = "/etc/motd";

export default program({
  guarantees: [fs.readsFirst(), fs.changesOnly([PATH]), fs.smallFiles(30), fs.nothingLockedAtEnd()],
  async run({ text }: { text: string }) {
    const now = await fs.read({ path: PATH });
    if (now === undefined) return;
    const next = text.slice(0, 30);
    if (now === next) return;
    await fs.lock({ path: PATH });
    await fs.write({ path: PATH, text: next });
    await fs.release({ path: PATH });
  },
});
