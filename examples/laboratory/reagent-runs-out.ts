/** Wrong: eleven doses of 100 where the bottle holds ten. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

export default program({
  guarantees: [lims.perSample(100)],
  async run() {
    for (let i = 0; i <= 10; i++) {
      await lims.prepare({ sample: `s${i}`, reagent: "enzyme", volume: 100 });
    }
  },
});
