/**
 * Task: Read all moisture sensors I list and warn the family if one is wet; don't fail when a sensor is dead.
 * Verdict: holds
 * Why: There is one notify after the readings, always to the family.
 * Features: Promise.allSettled, index access to inputs, discriminated union on status, two arrays, conditional message
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.notifiesOnly("family"), home.notifyAtMost(1), home.neverUnlocks()],
  async run({ sensors, wetAbove }: { sensors: string[]; wetAbove: number }) {
    const results = await Promise.allSettled(sensors.map((sensor) => home.readSensor({ sensor })));
    const wet: string[] = [];
    const dead: string[] = [];

    results.forEach((result, i) => {
      if (result.status === "rejected") {
        dead.push(sensors[i]);
      } else if (result.value.unit === "%" && result.value.value > wetAbove) {
        wet.push(`${sensors[i]} (${result.value.value}%)`);
      }
    });

    if (wet.length) {
      let text = `Water at: ${wet.join(", ")}.`;
      if (dead.length) text += ` No answer from: ${dead.join(", ")}.`;
      await home.notify({ to: "family", text });
    }
    return { wet, dead, dry: sensors.length - wet.length - dead.length };
  },
});
