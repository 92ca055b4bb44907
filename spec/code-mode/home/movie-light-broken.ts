/**
 * Task: Movie time: dim the lights in the living room to match the daylight, never above 40 percent.
 * Verdict: broken — maxBrightness(40)
 * Why: There is no lower bound, and a faulty sensor with a negative value gives a negative brightness.
 * Features: Math.min, filter, Promise.all, template string
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.lightsOnlyIn("living room"), home.maxBrightness(40)],
  async run() {
    const { value: lux } = await home.readSensor({ sensor: "living-room-lux" });
    const brightness = Math.min(40, Math.round(lux / 10));

    const devices = await home.listDevices({ room: "living room" });
    const lights = devices.filter((d) => d.kind === "light" && d.room === "living room");
    await Promise.all(lights.map((d) => home.setLight({ deviceId: d.id, on: true, brightness })));
    return `Set ${lights.length} light(s) to ${brightness}%.`;
  },
});
