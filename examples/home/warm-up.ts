/** Heats the rooms that are cold: state that is computed and capped, and unknown before the run. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.heatedBetween("bath", 18, 25), home.heatingUntouched("bedroom")],
  async run({ wish }: { wish: number }) {
    const now = await home.temperature({ room: "kitchen" });
    if (now < 17) await home.heat({ room: "kitchen", degrees: 19 });
    await home.heat({ room: "bath", degrees: Math.max(wish, 18) });
  },
});
