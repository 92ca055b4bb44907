/** Wrong: promises nothing about the alarm, which must fit the doors in every program that unlocks one. */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.onlyOpens(["front"])],
  async run() {
    await home.arm({ on: false });
    await home.unlock({ door: "front" });
    await home.arm({ on: true });
  },
});
