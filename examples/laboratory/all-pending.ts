/** Thaws whatever waits: a loop over what a tool returned, of which two may be the same. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.gentle(1)],
  async run() {
    const done = new Set<string>();
    for (const sample of await lims.pending()) {
      if (done.has(sample)) continue;
      done.add(sample);
      await lims.thaw({ sample });
    }
  },
});
