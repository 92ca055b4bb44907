/**
 * Task: Switch off every light in one area of the house, with all the areas inside it.
 * Verdict: holds
 * Why: The only setLight call has on false and no door is touched.
 * Features: recursion over a tree, flatMap of children, Map lookup, optional children, undefined return
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

function findArea(area: home.Area, name: string): home.Area | undefined {
  if (area.name.toLowerCase() === name.toLowerCase()) return area;
  for (const child of area.areas ?? []) {
    const hit = findArea(child, name);
    if (hit) return hit;
  }
  return undefined;
}

function allDevices(area: home.Area): string[] {
  return [...area.deviceIds, ...(area.areas ?? []).flatMap(allDevices)];
}

export default program({
  guarantees: [home.lightsOffOnly(), home.neverUnlocks()],
  async run({ areaName }: { areaName: string }) {
    const [plan, devices] = await Promise.all([home.floorPlan({}), home.listDevices({ kind: "light" })]);
    const area = findArea(plan, areaName);
    if (!area) return { error: `There is no area called ${areaName}.` };

    const lights = new Map(devices.filter((d) => d.kind === "light").map((d) => [d.id, d]));
    const off: string[] = [];
    for (const id of new Set(allDevices(area))) {
      const light = lights.get(id);
      if (!light) continue;
      const { on } = await home.getState({ deviceId: id });
      if (on === false) continue;
      await home.setLight({ deviceId: id, on: false });
      off.push(light.name);
    }
    return { area: area.name, off };
  },
});
