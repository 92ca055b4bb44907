/** Commits one file to a branch of its own, and pushes it. */
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
  ],
  async run() {
    const changed = await git.changed();
    if (!changed.includes("docs/index.md")) return;
    await git.start({ branch: "agent/tidy" });
    await git.commit({ branch: "agent/tidy", message: "Tidy the index", paths: ["docs/index.md"] });
    await git.push({ branch: "agent/tidy" });
  },
});
