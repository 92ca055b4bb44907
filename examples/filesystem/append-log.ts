/** Appends lines to a log: an optional argument, and sizes that add up in state. */
import { program } from "foreclaim";
import * as fs from "./tools/fs";

const LOG = "/var/log/agent.log";
const EVENTS = ["start\n", "work\n", "stop\n"];

async function log(line: string, append = true) {
  await fs.write({ path: LOG, text: line, append });
}

export default program({
  guarantees: [fs.smallFiles(20), fs.writesAtMost(20), fs.changesOnly([LOG]), fs.nothingLockedAtEnd()],
  async run({ verbose }: { verbose: boolean }) {
    await fs.lock({ path: LOG });
    await log("log\n", false);
    for (const event of EVENTS) {
      if (verbose || event !== "work\n") await log(event);
    }
    await fs.release({ path: LOG });
  },
});
