/** Moves old logs along and removes the oldest, at the end: a counted loop downwards, paths from numbers. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const name = (i: number) => `/log.${i}`;

export default program({
  guarantees: [fs.changesOnly(["/log.1", "/log.2", "/log.3"]), fs.removesLast(), fs.writesAtMost(0)],
  async run() {
    for (let i = 2; i > 0; i--) {
      if (await fs.exists({ path: name(i) })) await fs.copy({ from: name(i), path: name(i + 1) });
    }
    await fs.remove({ path: name(1) });
  },
});
