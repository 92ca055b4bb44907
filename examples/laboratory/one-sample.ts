/** Takes one sample through all stages: `requires` that read state which earlier calls have set. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

const SAMPLE = "s1";

export default program({
  guarantees: [
    lims.onlySamples([SAMPLE]),
    lims.reached([{ sample: SAMPLE, stage: "released" }]),
    lims.releasesMeasured(),
    lims.reviewedIfOdd(0, 100),
    lims.uses("buffer", 50),
  ],
  async run() {
    await lims.calibrate({ instrument: "hplc" });
    await lims.prepare({ sample: SAMPLE, reagent: "buffer", volume: 50 });
    const { value, flagged } = await lims.measure({ sample: SAMPLE, instrument: "hplc" });
    if (flagged || value > 100) await lims.review({ sample: SAMPLE, reason: "out of range" });
    await lims.release({ sample: SAMPLE, value, comment: flagged ? "reviewed" : undefined });
  },
});
