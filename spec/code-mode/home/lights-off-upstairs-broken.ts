/**
 * Task: Switch off every light in one area of the house, with all the areas inside it.
 * Verdict: broken — lightsOffOnly()
 * Why: The state is toggled, so a light that is already off is switched on.
 * Features: recursion over a tree with async visitor, toggle, optional children
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.lightsOffOnly(), home.neverUnlocks()],
  async run({ areaName }: { areaName: string }) {
    const [plan, devices] = await Promise.all([home.floorPlan({}), home.listDevices({ kind: "light" })]);
    const lights = new Map(devices.filter((d) => d.kind === "light").map((d) => [d.id, d]));
    let changed = 0;

    async function visit(area: home.Area, inside: boolean): Promise<void> {
      const here = inside || area.name.toLowerCase() === areaName.toLowerCase();
      if (here) {
        for (const id of area.deviceIds) {
          if (!lights.has(id)) continue;
          const state = await home.getState({ deviceId: id });
          await home.setLight({ deviceId: id, on: !state.on });
          changed++;
        }
      }
      for (const child of area.areas ?? []) await visit(child, here);
    }

    await visit(plan, false);
    return { area: areaName, changed };
  },
});
