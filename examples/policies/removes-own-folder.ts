/** Wrong: cleans the folder up, and others keep their files there too. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.removesOwn()],
  async run({ name }: { name: string }) {
    const own = `/box/${name}.tmp`;
    await files.create({ path: own });
    for (const path of await files.list({ folder: "/box" })) await files.remove({ path });
  },
});
