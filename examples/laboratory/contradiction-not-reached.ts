/** Wrong: what a tool ensures says nothing where it was not called, and there too much is written down. */
import { program } from "foreclaim";
import * as scale from "./tools/broken-scale";

export default program({
  guarantees: [scale.lighterThan(100)],
  async run({ weigh }: { weigh: boolean }) {
    let grams = 1000;
    if (weigh) grams = await scale.weigh({ sample: "s1" });
    await scale.record({ grams });
  },
});
