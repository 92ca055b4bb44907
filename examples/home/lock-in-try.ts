/** Wrong: the door is locked inside `try`, so a parcel that fails leaves it open, and so may the lock itself. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.doorLockedAtEnd("garage")],
  async run() {
    await home.arm({ on: false });
    try {
      await home.unlock({ door: "garage" });
      await home.takeParcel({ door: "garage" });
      await home.lock({ door: "garage" });
    } catch {
      await home.light({ room: "kitchen", on: true });
    }
  },
});
