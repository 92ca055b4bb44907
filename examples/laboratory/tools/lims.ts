/** A laboratory: samples, reagents and instruments in memory, and promises about how samples are treated. */
import { contract, coverage, fluent, type Int, labelled, tool } from "foreclaim";

export type Stage = "received" | "prepared" | "measured" | "released";

export interface Reading {
  value: number;
  unit: "mg/L" | "mmol/L";
  flagged: boolean;
}

const readings = new Map<string, Reading>();
const journal: string[] = [];

/** The stage that a sample has reached. */
export const stage = fluent<string, Stage>({ initial: "received" });

/** The microliters of a reagent that remain. */
export const stock = fluent<string, number>({ initial: 1000 });

/** The number of times that a sample was thawed. */
export const thaws = fluent<string, Int>({ initial: 0 });

/** True if an instrument is calibrated. */
export const calibrated = fluent<string, boolean>({ initial: false });

/** Calibrates an instrument. */
export const calibrate = tool({
  idempotent: true,
  effects: ({ instrument }) => [calibrated.set(instrument, true)],
  run: async ({ instrument }: { instrument: string }): Promise<void> => {
    journal.push(`calibrated ${instrument}`);
  },
});

/** Thaws a sample; three times is the most that it stands. */
export const thaw = tool({
  requires: ({ sample }) => thaws.get(sample) < 3,
  effects: ({ sample }) => [thaws.set(sample, thaws.get(sample) + 1)],
  run: async ({ sample }: { sample: string }): Promise<void> => {
    journal.push(`thawed ${sample}`);
  },
});

/** Prepares a sample with a reagent. */
export const prepare = tool({
  labels: ["treatment"],
  requires: ({ sample, reagent, volume }) =>
    volume > 0 && volume <= stock.get(reagent) && stage.get(sample) === "received",
  effects: ({ sample, reagent, volume }) => [
    stage.set(sample, "prepared"),
    stock.set(reagent, stock.get(reagent) - volume),
  ],
  cost: ({ volume }) => volume,
  run: async ({
    sample,
    reagent,
    volume,
  }: {
    sample: string;
    reagent: string;
    volume: number;
  }): Promise<void> => {
    journal.push(`prepared ${sample} with ${volume} of ${reagent}`);
  },
});

/** Measures a prepared sample on a calibrated instrument. */
export const measure = tool({
  labels: ["treatment"],
  requires: ({ sample, instrument }) => stage.get(sample) === "prepared" && calibrated.get(instrument),
  effects: ({ sample }) => [stage.set(sample, "measured")],
  ensures: (reading) => reading.value >= 0,
  run: async ({ sample }: { sample: string; instrument: string }): Promise<Reading> => {
    const reading: Reading = { value: sample.length, unit: "mg/L", flagged: false };
    readings.set(sample, reading);
    return reading;
  },
});

/** Releases a result to the physician. */
export const release = tool({
  labels: ["report"],
  requires: ({ sample }) => stage.get(sample) === "measured",
  effects: ({ sample }) => [stage.set(sample, "released")],
  run: async ({
    sample,
    value,
    comment,
  }: {
    sample: string;
    value: number;
    comment?: string;
  }): Promise<void> => {
    journal.push(`released ${sample}: ${value} ${comment ?? ""}`);
  },
});

/** Asks a person to look at a sample. */
export const review = tool({
  labels: ["report"],
  run: async ({ sample }: { sample: string; reason: string }): Promise<{ accepted: boolean }> => {
    journal.push(`review of ${sample}`);
    return { accepted: true };
  },
});

/** The samples that wait. */
export const pending = tool({
  reads: true,
  ensures: (samples) => samples.length <= 96,
  run: async (): Promise<string[]> => ["s1", "s2"],
});

/** Only these samples are touched. */
export const onlySamples = contract(
  (samples: string[]) =>
    labelled<{ sample: string }>("treatment").all((t) => samples.includes(t.sample)) &&
    labelled<{ sample: string }>("report").all((r) => samples.includes(r.sample)),
);

/** No more of this reagent is used than this. */
export const uses = contract(
  (reagent: string, most: number) => prepare.where((p) => p.reagent === reagent).sum((p) => p.volume) <= most,
);

/** At least this much of every reagent is left at all times. */
export const keepsStock = contract((least: number) => stock.always.all((s) => s.value >= least));

/** No sample gets more than this in all. */
export const perSample = contract(
  (most: number) => prepare.perKey((p) => p.sample).sum((p) => p.volume) <= most,
);

/** No result outside these limits is released without a review before. */
export const reviewedIfOdd = contract((low: number, high: number) =>
  review.precedes(
    release.where((r) => r.value < low || r.value > high),
    (a, b) => a.sample === b.sample,
  ),
);

/** Each of these samples has come so far at the end. */
export const reached = contract((goals: { sample: string; stage: Stage }[]) =>
  goals.every((goal) => stage.final.get(goal.sample) === goal.stage),
);

/** No sample is left between preparation and measurement. */
export const nothingHalfDone = contract(() => stage.final.none((s) => s.value === "prepared"));

/** No sample is thawed more than this. */
export const gentle = contract((n: number) => thaws.final.all((t) => t.value <= n));

/** Every release is of a sample that was measured in this run, and there are no more releases than measurements. */
export const releasesMeasured = contract(
  () => measure.precedes(release, (m, r) => m.sample === r.sample) && release.count() <= measure.count(),
);

/** Nothing is prepared once a result was released. */
export const preparesFirst = contract(() => prepare.neverAfter(release));

/** Doses lie within this spread. */
export const evenDoses = contract(
  (spread: number) => prepare.max((p) => p.volume, 0) - prepare.min((p) => p.volume, 0) <= spread,
);

export const policy = coverage({
  whenUsed: [release],
  recommended: [releasesMeasured, reviewedIfOdd(0, 100)],
  required: [preparesFirst],
  label: "laboratory",
});
