/** Runs before each test file: hands the asked-for seed and number of runs to fast-check. */

import fc from "fast-check";
import { runs, seed } from "./runs.ts";

const asked = seed();
fc.configureGlobal({ numRuns: runs(100), ...(asked === undefined ? {} : { seed: asked }) });
