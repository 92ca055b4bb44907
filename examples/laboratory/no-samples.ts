/** Wrong: promises that s1 is prepared, but the list of samples to prepare may turn out to be empty. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.reached([{ sample: "s1", stage: "prepared" }])],
  async run({ skip }: { skip: string }) {
    const wanted = ["s1", "s2"].filter((sample) => sample !== skip);
    for (const sample of wanted) {
      await lims.prepare({ sample, reagent: "buffer", volume: 10 });
    }
  },
});
