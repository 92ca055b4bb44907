/** Wrong: reviews one sample and releases the other; the order is right and the sample is not. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.reviewedIfOdd(0, 100)],
  async run() {
    await lims.calibrate({ instrument: "hplc" });
    await lims.prepare({ sample: "s1", reagent: "buffer", volume: 10 });
    const { value } = await lims.measure({ sample: "s1", instrument: "hplc" });
    if (value > 100) await lims.review({ sample: "s2", reason: "out of range" });
    await lims.release({ sample: "s1", value });
  },
});
