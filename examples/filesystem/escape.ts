/** Wrong: looks how the path starts and not where it leads; `..` leads out. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.readsInside(["/sandbox"])],
  async run({ path }: { path: string }) {
    if (!path.startsWith("/sandbox/")) return;
    await fs.read({ path });
  },
});
