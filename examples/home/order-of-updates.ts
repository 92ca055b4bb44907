/** Wrong: locks first and unlocks after, in a `Promise.all` that looks as if the order did not matter. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLockedAtEnd()],
  async run() {
    await home.arm({ on: false });
    await Promise.all([home.lock({ door: "front" }), home.unlock({ door: "front" })]);
  },
});
