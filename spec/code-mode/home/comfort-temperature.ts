/**
 * Task: Make it a bit warmer or cooler everywhere by the number of degrees I say, but stay between 17 and 23 degrees.
 * Verdict: holds
 * Why: Every target is clamped to 17..23 as the last step before the call.
 * Features: clamp helper, nullish fallback, filter, for-of, array of result objects
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

const clamp = (x: number, lo: number, hi: number) => Math.min(hi, Math.max(lo, x));

export default program({
  guarantees: [home.targetBetween(17, 23), home.neverUnlocks()],
  async run({ degrees }: { degrees: number }) {
    const thermostats = (await home.listDevices({ kind: "thermostat" })).filter(
      (d) => d.kind === "thermostat",
    );
    const changes: { room: string; before: number | null; after: number; accepted: boolean }[] = [];

    for (const t of thermostats) {
      const { targetC } = await home.getState({ deviceId: t.id });
      const after = clamp((targetC ?? 20) + degrees, 17, 23);
      if (after === targetC) continue;
      const { accepted } = await home.setThermostat({ deviceId: t.id, targetC: after });
      changes.push({ room: t.room, before: targetC ?? null, after, accepted });
    }

    return changes;
  },
});
