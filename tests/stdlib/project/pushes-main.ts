/** Pushes the branch that an input names, or commits no file: what the tools require does not hold. */
import { program } from "foreclaim";
import * as git from "./tools/git.ts";

export default program({
  guarantees: [git.pushesAtMost(1)],
  async run({ branch }: { branch: string }) {
    if (branch === "agent/x") await git.commit({ branch, message: "m", paths: [] });
    else await git.push({ branch });
  },
});
