/** Lets a visitor in and locks the door again. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allLocked(), home.neverUnlocked(["cellar"])],
  async run() {
    if (!(await home.visitor({ door: "front" }))) return;
    await home.unlock({ door: "front" });
    await home.lock({ door: "front" });
  },
});
