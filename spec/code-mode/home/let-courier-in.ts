/**
 * Task: A courier is at the front door: open it, tell the family, and make sure it is locked again afterwards.
 * Verdict: holds
 * Why: Only "front-door" is unlocked and the lock call stands in a finally block that runs on every path.
 * Features: try/finally, const door id, destructured input with default, let result
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

const DOOR = "front-door";

export default program({
  guarantees: [home.onlyUnlocks("front-door"), home.relocks(), home.notifiesOnly("family")],
  async run({ courier = "a courier" }: { courier?: string }) {
    let opened = false;
    try {
      const { ok } = await home.unlock({ doorId: DOOR });
      opened = ok;
      await home.notify({
        to: "family",
        text: `${courier} is at the front door${ok ? ", it is open" : " but it is stuck"}.`,
      });
    } finally {
      await home.lock({ doorId: DOOR });
    }
    return { opened };
  },
});
