/** Not believed: the tool's `ensures` contradicts itself, and from that everything would follow. */
import { program } from "foreclaim";
import * as scale from "./tools/broken-scale";

export default program({
  guarantees: [scale.lighterThan(1)],
  async run() {
    const grams = await scale.weigh({ sample: "s1" });
    await scale.record({ grams });
  },
});
