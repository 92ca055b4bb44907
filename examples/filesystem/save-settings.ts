/** Replaces a file safely: locks it, keeps a copy, writes, releases in `finally`. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const PATH = "/app/settings.json";

export default program({
  guarantees: [
    fs.changesOnly([PATH, `${PATH}.bak`]),
    fs.backedUp(),
    fs.nothingLockedAtEnd(),
    fs.keepsFiles(),
    fs.endings([".json"]),
  ],
  async run({ dark }: { dark: boolean }) {
    await fs.lock({ path: PATH });
    try {
      await fs.copy({ from: PATH, path: `${PATH}.bak` });
      await fs.write({ path: PATH, text: dark ? '{"theme":"dark"}' : '{"theme":"light"}' });
    } finally {
      await fs.release({ path: PATH });
    }
  },
});
