/**
 * Task: We're on holiday: switch on a few random lights so that the house looks lived in, not brighter than 60 percent.
 * Verdict: broken — maxBrightness(60)
 * Why: Math.round(Math.random() * 60) + 1 can be 61.
 * Features: Math.random, sort by random, slice, Promise.all
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.maxBrightness(60), home.neverUnlocks(), home.notifyAtMost(0)],
  async run({ count = 3 }: { count?: number }) {
    const devices = await home.listDevices({ kind: "light" });
    const chosen = devices
      .filter((d) => d.kind === "light" && d.online)
      .sort(() => Math.random() - 0.5)
      .slice(0, count);
    await Promise.all(
      chosen.map((light) =>
        home.setLight({ deviceId: light.id, on: true, brightness: Math.round(Math.random() * 60) + 1 }),
      ),
    );
    return chosen.map((l) => l.name);
  },
});
