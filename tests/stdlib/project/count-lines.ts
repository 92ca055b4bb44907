/** Counts the lines of one file. */
import { program } from "foreclaim";
import * as shell from "./tools/shell.ts";

export default program({
  guarantees: [
    shell.onlyPrograms(["wc"]),
    shell.onlyArguments(["-l", "hello.txt"]),
    shell.ownArguments(),
    shell.atMost(1),
  ],
  async run() {
    const { code, out } = await shell.run({ program: "wc", args: ["-l", "hello.txt"] });
    return code === 0 ? out : null;
  },
});
