/** Wrong: the second sample is prepared after the first was released. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

async function whole(sample: string) {
  await lims.prepare({ sample, reagent: "buffer", volume: 10 });
  const { value } = await lims.measure({ sample, instrument: "hplc" });
  if (value <= 100) await lims.release({ sample, value });
}

export default program({
  guarantees: [lims.preparesFirst(), lims.reviewedIfOdd(0, 100)],
  async run() {
    await lims.calibrate({ instrument: "hplc" });
    await whole("s1");
    await whole("s2");
  },
});
