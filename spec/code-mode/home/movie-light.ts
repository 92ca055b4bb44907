/**
 * Task: Movie time: dim the lights in the living room to match the daylight, never above 40 percent.
 * Verdict: holds
 * Why: Devices are filtered by room and kind, and the brightness is clamped between 0 and 40.
 * Features: Math.min/Math.max, filter, try/catch with default, Promise.all
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.lightsOnlyIn("living room"), home.maxBrightness(40)],
  async run() {
    let lux = 100;
    try {
      const reading = await home.readSensor({ sensor: "living-room-lux" });
      if (reading.unit === "lux") lux = reading.value;
    } catch {
      console.log("The light sensor does not answer, assuming 100 lux.");
    }

    const brightness = Math.max(0, Math.min(40, Math.round(lux / 10)));
    const lights = (await home.listDevices({ room: "living room", kind: "light" })).filter(
      (d) => d.room === "living room" && d.kind === "light" && d.online,
    );
    await Promise.all(lights.map((d) => home.setLight({ deviceId: d.id, on: true, brightness })));
    return `Set ${lights.length} light(s) to ${brightness}%.`;
  },
});
