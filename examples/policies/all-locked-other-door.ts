/** Wrong: opens the door that it is told, and locks the front door. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allLocked(), home.neverUnlocked(["cellar"])],
  async run({ door }: { door: string }) {
    await home.unlock({ door });
    await home.lock({ door: "front" });
  },
});
