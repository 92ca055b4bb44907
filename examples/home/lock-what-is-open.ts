/** Locks every door that stands open: a loop over what a tool returned. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.allDoorsLockedAtEnd()],
  async run() {
    for (const door of await home.openDoors()) {
      await home.lock({ door });
    }
    await home.arm({ on: true });
  },
});
