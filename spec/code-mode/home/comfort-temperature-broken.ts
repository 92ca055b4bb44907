/**
 * Task: Make it a bit warmer or cooler everywhere by the number of degrees I say, but stay between 17 and 23 degrees.
 * Verdict: broken — targetBetween(17, 23)
 * Why: The old target is clamped first and the degrees are added afterwards, so the sum can leave the range.
 * Features: clamp helper, nullish fallback, filter, for-of
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
    const changes: { room: string; after: number; accepted: boolean }[] = [];

    for (const t of thermostats) {
      const { targetC } = await home.getState({ deviceId: t.id });
      const current = clamp(targetC ?? 20, 17, 23);
      const after = current + degrees;
      if (after === targetC) continue;
      const { accepted } = await home.setThermostat({ deviceId: t.id, targetC: after });
      changes.push({ room: t.room, after, accepted });
    }

    return changes;
  },
});
