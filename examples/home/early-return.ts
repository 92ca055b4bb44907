/** Wrong: leaves early when nobody is home, and forgets that the door is open by then. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLockedAtEnd(), home.onlyOpens(["front"])],
  async run() {
    await home.arm({ on: false });
    await home.unlock({ door: "front" });
    if (!(await home.someoneHome())) return;
    await home.light({ room: "kitchen", on: true });
    await home.lock({ door: "front" });
  },
});
