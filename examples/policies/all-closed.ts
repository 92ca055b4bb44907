/** Closes what it opened, whatever happens in between. */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.allClosed()],
  async run({ line }: { line: string }) {
    await files.open({ path: "/box/log.txt" });
    try {
      await files.write({ path: "/box/log.txt", text: line });
    } finally {
      await files.close({ path: "/box/log.txt" });
    }
  },
});
