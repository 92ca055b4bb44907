/** Wrong: returns early and leaves the file open. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.allClosed()],
  async run({ line }: { line: string }) {
    await files.open({ path: "/box/log.txt" });
    if (line === "") return;
    await files.write({ path: "/box/log.txt", text: line });
    await files.close({ path: "/box/log.txt" });
  },
});
