/** Wrong: unlocks the door it was asked to, locks the one it has in mind. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.doorsAreLockedAgain(), home.locksWhatItUnlocks()],
  async run({ door }: { door: "front" | "back" }) {
    await home.arm({ on: false });
    await home.unlock({ door });
    await home.lock({ door: "front" });
    await home.arm({ on: true });
  },
});
