/** Breaks each guarantee: the output of one program is an argument of the next. */
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
    const { out } = await shell.run({ program: "sort", args: ["names.txt"] });
    for (const name of out.split("\n").slice(0, 3)) await shell.run({ program: "wc", args: ["-l", name] });
  },
});
