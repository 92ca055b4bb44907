/**
 * Task: Apply today's heating schedule for the current hour. Nothing outside 16 to 23 degrees, please.
 * Verdict: holds
 * Why: Each entry is checked to have a numeric target between 16 and 23 before the call.
 * Features: JSON.parse into unknown, Array.isArray, per-entry validation, continue, try/catch returning early
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

type Entry = { deviceId: string; hour: number; targetC: number };

export default program({
  guarantees: [home.targetBetween(16, 23), home.neverUnlocks()],
  async run({ day, hour }: { day: string; hour: number }) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(await home.schedule({ day }));
    } catch (e) {
      return { applied: 0, problems: ["the schedule is not readable"] };
    }
    if (!Array.isArray(parsed)) return { applied: 0, problems: ["the schedule is not a list"] };

    const problems: string[] = [];
    let applied = 0;
    for (const raw of parsed) {
      const entry = raw as Partial<Entry> | null;
      if (!entry || entry.hour !== hour || typeof entry.deviceId !== "string") continue;
      const { deviceId, targetC } = entry;
      if (typeof targetC !== "number" || targetC < 16 || targetC > 23) {
        problems.push(`${deviceId}: ${targetC} is not allowed`);
        continue;
      }
      const { accepted } = await home.setThermostat({ deviceId, targetC });
      if (accepted) applied++;
      else problems.push(`${deviceId} refused ${targetC}`);
    }
    return { applied, problems };
  },
});
