/**
 * Task: How much energy did a sensor measure in the last day, and when was the peak?
 * Verdict: holds
 * Why: Only sensorHistory is called; malformed rows are skipped.
 * Features: CSV parsing with split, destructuring of split parts, Number and Number.isNaN, reduce, object with rounding
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

interface Row {
  time: string;
  watts: number;
}

function parseCsv(text: string): Row[] {
  const [, ...lines] = text.trim().split(/\r?\n/);
  return lines
    .map((line) => line.split(","))
    .filter((cells) => cells.length === 2)
    .map(([time, value]) => ({ time, watts: Number(value) }))
    .filter((row) => !Number.isNaN(row.watts));
}

export default program({
  guarantees: [home.readOnly()],
  async run({ sensor }: { sensor: string }) {
    const rows = parseCsv(await home.sensorHistory({ sensor, hours: 24 }));
    if (rows.length === 0) return { sensor, error: "no data" };

    const average = rows.reduce((sum, r) => sum + r.watts, 0) / rows.length;
    const peak = rows.reduce((max, r) => (r.watts > max.watts ? r : max), rows[0]);
    return {
      sensor,
      kWh: Math.round(average * 24) / 1000,
      peak: `${peak.watts} W at ${peak.time}`,
      samples: rows.length,
    };
  },
});
