/** Refused: nobody waits for the lock, so it is unknown when, or whether, it happens. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLockedAtEnd()],
  async run() {
    home.lock({ door: "front" });
    await home.arm({ on: true });
  },
});
