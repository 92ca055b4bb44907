/** Wrong: calibrates one instrument and measures on another. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.onlySamples(["s1"])],
  async run({ spare }: { spare: boolean }) {
    await lims.calibrate({ instrument: "hplc" });
    await lims.prepare({ sample: "s1", reagent: "buffer", volume: 10 });
    await lims.measure({ sample: "s1", instrument: spare ? "hplc-2" : "hplc" });
  },
});
