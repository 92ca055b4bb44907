/** Prepares a batch and leaves a reserve: a loop over records, state that is computed, spread of doses. */
import { program } from "foreclaim";
import * as lims from "./tools/lims";

const PLAN = [
  { sample: "s1", volume: 120 },
  { sample: "s2", volume: 100.5 },
  { sample: "s3", volume: 130 },
];

export default program({
  guarantees: [lims.keepsStock(600), lims.evenDoses(30), lims.perSample(130), lims.uses("buffer", 350.5)],
  async run() {
    for (const { sample, volume } of PLAN) {
      await lims.prepare({ sample, reagent: "buffer", volume });
    }
  },
});
