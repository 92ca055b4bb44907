/**
 * Task: We're on holiday: switch on a few random lights so that the house looks lived in, not brighter than 60 percent.
 * Verdict: holds
 * Why: Math.floor(Math.random() * 60) + 1 lies between 1 and 60.
 * Features: Math.random, shuffle with index loop and swap, slice, console.log, generic helper
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

function shuffle<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

export default program({
  guarantees: [home.maxBrightness(60), home.neverUnlocks(), home.notifyAtMost(0)],
  async run({ count = 3 }: { count?: number }) {
    const devices = await home.listDevices({ kind: "light" });
    const lights = devices.filter((d) => d.kind === "light" && d.online);
    const chosen = shuffle(lights).slice(0, count);
    for (const light of chosen) {
      const brightness = Math.floor(Math.random() * 60) + 1;
      console.log(`${light.name} -> ${brightness}%`);
      await home.setLight({ deviceId: light.id, on: true, brightness });
    }
    return chosen.map((l) => l.name);
  },
});
