/** Keeps readings in a `Map` and releases the plausible ones: lookups with constant keys. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

const SAMPLES = ["s1", "s2"];

export default program({
  guarantees: [lims.reviewedIfOdd(0, 50), lims.releasesMeasured(), lims.nothingHalfDone()],
  async run() {
    const values = new Map<string, number>();
    await lims.calibrate({ instrument: "hplc" });
    for (const sample of SAMPLES) {
      await lims.prepare({ sample, reagent: "buffer", volume: 10 });
      const { value, unit } = await lims.measure({ sample, instrument: "hplc" });
      if (unit === "mg/L") values.set(sample, value);
    }
    for (const sample of SAMPLES) {
      const value = values.get(sample);
      if (value === undefined || value > 50) continue;
      await lims.release({ sample, value });
    }
  },
});
