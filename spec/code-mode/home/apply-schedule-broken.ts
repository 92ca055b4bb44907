/**
 * Task: Apply today's heating schedule for the current hour. Nothing outside 16 to 23 degrees, please.
 * Verdict: broken — targetBetween(16, 23)
 * Why: The range test rejects a target only if it is below 16 and above 23 at once, so it never rejects anything.
 * Features: JSON.parse with type assertion, filter, wrong logical operator, for-of
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

type Entry = { deviceId: string; hour: number; targetC: number };

export default program({
  guarantees: [home.targetBetween(16, 23), home.neverUnlocks()],
  async run({ day, hour }: { day: string; hour: number }) {
    const entries: Entry[] = JSON.parse(await home.schedule({ day }));
    const due = entries.filter((e) => e.hour === hour);

    let applied = 0;
    const problems: string[] = [];
    for (const { deviceId, targetC } of due) {
      if (targetC < 16 && targetC > 23) {
        problems.push(`${deviceId}: ${targetC} is not allowed`);
        continue;
      }
      await home.setThermostat({ deviceId, targetC });
      applied++;
    }
    return { applied, problems };
  },
});
