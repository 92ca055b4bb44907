/** Makes a file, uses it and removes it. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.removesOwn()],
  async run({ name }: { name: string }) {
    const path = `/box/${name}.tmp`;
    await files.create({ path });
    await files.write({ path, text: "half done" });
    await files.remove({ path });
  },
});
