/**
 * Task: Is the front door locked?
 * Verdict: holds
 * Why: Only getState is called.
 * Features: destructuring, nested ternary
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.readOnly()],
  async run() {
    const { locked } = await home.getState({ deviceId: "front-door" });
    return locked === undefined ? "I can't tell." : locked ? "Yes, it is locked." : "No, it is open!";
  },
});
