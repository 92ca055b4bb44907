/** Switches lights on and off: counts that are kept in state, nested loops, `continue`. */
import { program } from "foreclaim";
import * as home from "./tools/home";

const ROOMS: home.Room[] = ["kitchen", "bedroom", "bath"];

export default program({
  guarantees: [home.calmLights(2)],
  async run({ quiet }: { quiet: boolean }) {
    for (let round = 0; round < 2; round++) {
      for (const room of ROOMS) {
        if (quiet && room === "bedroom") continue;
        await home.light({ room, on: true });
        await home.light({ room, on: false });
      }
    }
  },
});
