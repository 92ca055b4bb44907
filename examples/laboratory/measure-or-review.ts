/** Measures, and asks a person where measuring fails: after a failure the stage of the sample is unknown. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.onlySamples(["s1"]), lims.releasesMeasured(), lims.preparesFirst()],
  async run() {
    await lims.calibrate({ instrument: "pcr" });
    await lims.prepare({ sample: "s1", reagent: "primer", volume: 5 });
    let value: number | undefined;
    try {
      const reading = await lims.measure({ sample: "s1", instrument: "pcr" });
      value = reading.value;
    } catch {
      await lims.review({ sample: "s1", reason: "the instrument failed" });
    }
    if (value !== undefined) await lims.release({ sample: "s1", value });
  },
});
