/** Opens the back door for a while; interrupted in between, it would stay open, and the proof says so. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.doorLockedAtEnd("back"), home.onlyOpens(["back"]), home.locksWhatItUnlocks()],
  async run() {
    await home.arm({ on: false });
    await home.unlock({ door: "back" });
    await home.lower({ room: "kitchen", by: 3 });
    await home.lock({ door: "back" });
    await home.arm({ on: true });
  },
});
