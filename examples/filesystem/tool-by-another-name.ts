/** Wrong: an alias is the same tool, and a local function named `write` is not. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const tidy = fs.remove;

export default program({
  guarantees: [fs.keepsFiles(), fs.readOnly()],
  async run() {
    const write = async ({ path }: { path: string }) => fs.exists({ path });
    const there = await write({ path: "/old" });
    if (there) await tidy({ path: "/old" });
  },
});
