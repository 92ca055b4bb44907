/** Wrong: locks first and unlocks after, two calls that look as if the order did not matter. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLockedAtEnd()],
  async run() {
    await home.arm({ on: false });
    await home.lock({ door: "front" });
    await home.unlock({ door: "front" });
  },
});
