/** Breaks each guarantee: pushes first, elsewhere, twice, and commits whatever others have changed. */
import { program } from "foreclaim";
import * as git from "./tools/git.ts";

export default program({
  guarantees: [
    git.onlyBranches(["agent/tidy"]),
    git.commitsInside("docs"),
    git.commitsOnly(["docs/index.md"]),
    git.commitsFirst(),
    git.ownCommits(),
    git.pushesAtMost(1),
    git.pushesNothing(),
  ],
  async run() {
    await git.push({ branch: "agent/other" });
    const paths = await git.changed();
    if (paths.length > 0) await git.commit({ branch: "agent/tidy", message: "All of it", paths });
    await git.push({ branch: "agent/tidy" });
  },
});
