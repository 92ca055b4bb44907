/**
 * Task: Good night! Lock all doors that are open and switch off all lights, then tell me what you did.
 * Verdict: broken — neverUnlocks()
 * Why: To "refresh" a door that reports locked, the program unlocks and locks it again.
 * Features: for-of, filter by kind, Promise.all, if/else
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.neverUnlocks(), home.lightsOffOnly()],
  async run() {
    const devices = (await home.listDevices({})).filter((d) => d.online);
    const locks = devices.filter((d) => d.kind === "lock");
    const lights = devices.filter((d) => d.kind === "light");

    for (const door of locks) {
      const { locked } = await home.getState({ deviceId: door.id });
      if (!locked) {
        await home.lock({ doorId: door.id });
      } else {
        // make sure the bolt really is in
        await home.unlock({ doorId: door.id });
        await home.lock({ doorId: door.id });
      }
    }

    await Promise.all(lights.map((l) => home.setLight({ deviceId: l.id, on: false })));
    return `Locked ${locks.length} doors and switched off ${lights.length} lights.`;
  },
});
