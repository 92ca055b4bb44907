/** Wrong: a helper removes the file before it is released. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const discard = async (path: string) => {
  await fs.remove({ path });
  await fs.release({ path });
};

export default program({
  guarantees: [fs.changesOnly(["/draft"])],
  async run({ keep }: { keep: boolean }) {
    await fs.lock({ path: "/draft" });
    await fs.write({ path: "/draft", text: "..." });
    keep ? await fs.release({ path: "/draft" }) : await discard("/draft");
  },
});
