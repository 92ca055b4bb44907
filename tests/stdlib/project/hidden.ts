/** Reads whatever file an input names, hidden ones too: what `read` requires does not hold. */
import { program } from "foreclaim";
import * as fs from "./tools/fs.ts";

export default program({
  guarantees: [fs.readOnly()],
  async run({ name }: { name: string }) {
    await fs.read({ path: name });
  },
});
