/** Wrong: the folder in front of a name does not keep the name from being any path; and it may be relative. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

export default program({
  guarantees: [fs.endings([".txt"])],
  async run({ folder, name }: { folder: string; name: string }) {
    const path = `${folder}/${name}`;
    await fs.lock({ path });
    await fs.write({ path, text: "hello" });
    await fs.release({ path });
  },
});
