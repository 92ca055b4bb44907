/** Writes a file below its folder, under a name that was tested. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.sandbox("/box")],
  async run({ name }: { name: string }) {
    if (!/^[a-z0-9-]+$/.test(name)) return;
    const old = await files.read({ path: `/box/${name}.txt` });
    await files.write({ path: `/box/${name}.txt`, text: `${old} again` });
  },
});
