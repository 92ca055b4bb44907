/** Wrong: the door is unlocked while the alarm is still on, unless somebody is home. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.doorLockedAtEnd("front")],
  async run() {
    if (await home.someoneHome()) {
      await home.arm({ on: false });
    }
    await home.unlock({ door: "front" });
    await home.lock({ door: "front" });
  },
});
