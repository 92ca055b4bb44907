/**
 * Task: Check the batteries of all devices and send me one message if any is below 20 percent.
 * Verdict: broken — notifyAtMost(1)
 * Why: A message goes out for every room with a weak battery, not one for all.
 * Features: groups in a Map, for-of over entries with destructuring, nullish fallback
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.notifiesOnly("owner"), home.notifyAtMost(1), home.neverUnlocks()],
  async run({ threshold = 20 }: { threshold?: number }) {
    const devices = await home.listDevices({});
    const byRoom = new Map<string, home.Device[]>();
    for (const d of devices) {
      if ((d.battery ?? 100) >= threshold) continue;
      byRoom.set(d.room, [...(byRoom.get(d.room) ?? []), d]);
    }

    for (const [room, low] of byRoom) {
      await home.notify({
        to: "owner",
        text: `Please change these batteries in ${room}: ${low.map((d) => `${d.name} (${d.battery}%)`).join(", ")}`,
      });
    }
    return { checked: devices.length, rooms: [...byRoom.keys()] };
  },
});
