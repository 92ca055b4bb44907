/** Wrong: `/sandbox-old` starts like `/sandbox` and is another folder. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const ROOT = "/sandbox";

export default program({
  guarantees: [fs.changesInside(ROOT)],
  async run({ backup }: { backup: boolean }) {
    const folder = backup ? `${ROOT}-old` : ROOT;
    await fs.copy({ from: `${ROOT}/data`, path: `${folder}/data.bak` });
  },
});
