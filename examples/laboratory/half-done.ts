/** Wrong: a sample that is flagged stays prepared and is never measured. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.nothingHalfDone(), lims.preparesFirst()],
  async run() {
    await lims.calibrate({ instrument: "hplc" });
    for (const sample of ["s1", "s2"]) {
      await lims.prepare({ sample, reagent: "buffer", volume: 10 });
      const { accepted } = await lims.review({ sample, reason: "ready?" });
      if (!accepted) return;
      await lims.measure({ sample, instrument: "hplc" });
    }
  },
});
