/** Runs the program that an input names: what `run` requires does not hold. */
import { program } from "foreclaim";
import * as shell from "./tools/shell.ts";

export default program({
  guarantees: [shell.atMost(1)],
  async run({ name }: { name: string }) {
    await shell.run({ program: name, args: [] });
  },
});
