/**
 * Task: Good night! Lock all doors that are open and switch off all lights, then tell me what you did.
 * Verdict: holds
 * Why: The program never calls unlock, and setLight is only called with on false.
 * Features: for-of, switch on kind, try/catch in loop, report lines, join
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.neverUnlocks(), home.lightsOffOnly()],
  async run() {
    const report: string[] = [];
    const devices = await home.listDevices({});

    for (const device of devices) {
      if (!device.online) {
        report.push(`${device.name} is offline`);
        continue;
      }
      try {
        switch (device.kind) {
          case "lock": {
            const state = await home.getState({ deviceId: device.id });
            if (state.locked) break;
            const { ok } = await home.lock({ doorId: device.id });
            report.push(ok ? `locked ${device.name}` : `could NOT lock ${device.name}`);
            break;
          }
          case "light":
            await home.setLight({ deviceId: device.id, on: false });
            report.push(`switched off ${device.name}`);
            break;
          default:
            break;
        }
      } catch (err) {
        report.push(`${device.name} failed: ${String(err)}`);
      }
    }

    return report.length > 0 ? report.join("\n") : "Everything was already quiet.";
  },
});
