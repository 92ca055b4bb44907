/** Reads the latest commits and pushes nothing. */
import { program } from "foreclaim";
import * as git from "./tools/git.ts";

export default program({
  guarantees: [git.pushesNothing()],
  async run() {
    const commits = await git.log({ most: 5 });
    return commits.map((commit) => commit.subject);
  },
});
