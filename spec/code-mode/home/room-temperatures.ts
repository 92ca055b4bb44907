/**
 * Task: How warm is it in each room right now?
 * Verdict: holds
 * Why: Only listDevices and getState are called.
 * Features: filter, Promise.all of async map, conditional spread, toFixed, Object.fromEntries
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.readOnly()],
  async run() {
    const devices = await home.listDevices({ kind: "thermostat" });
    const entries = await Promise.all(
      devices
        .filter((d) => d.kind === "thermostat" && d.online)
        .map(async ({ id, room }) => {
          const { currentC } = await home.getState({ deviceId: id });
          return [room, currentC === undefined ? "unknown" : `${currentC.toFixed(1)} °C`] as const;
        }),
    );
    return Object.fromEntries(entries);
  },
});
