/** Doses by an input that is brought into range first: `Math.min` and `Math.max` keep what `prepare` requires. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

export default program({
  guarantees: [lims.perSample(40), lims.keepsStock(920)],
  async run({ factor }: { factor: number }) {
    const volume = clamp(factor * 10, 1, 40);
    for (const sample of ["s1", "s2"]) {
      await lims.prepare({ sample, reagent: "water", volume });
    }
  },
});
