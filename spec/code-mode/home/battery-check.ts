/**
 * Task: Check the batteries of all devices and send me one message if any is below 20 percent.
 * Verdict: holds
 * Why: notify is called once, after the loop, to the owner.
 * Features: filter with type predicate, null check, sort, map/join, conditional call
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

type Powered = home.Device & { battery: number };

const hasBattery = (d: home.Device): d is Powered => d.battery !== undefined && d.battery !== null;

export default program({
  guarantees: [home.notifiesOnly("owner"), home.notifyAtMost(1), home.neverUnlocks()],
  async run({ threshold = 20 }: { threshold?: number }) {
    const devices = await home.listDevices({});
    const low = devices
      .filter(hasBattery)
      .filter((d) => d.battery < threshold)
      .sort((a, b) => a.battery - b.battery);

    if (low.length > 0) {
      const list = low.map((d) => `${d.name} (${d.room}): ${d.battery}%`).join("\n");
      await home.notify({ to: "owner", text: `Please change these batteries:\n${list}` });
    }
    return { checked: devices.length, low: low.map((d) => d.id) };
  },
});
