/**
 * Task: A courier is at the front door: open it, tell the family, and make sure it is locked again afterwards.
 * Verdict: broken — relocks()
 * Why: When the door could not be opened or notify rejects, the program returns or throws without locking.
 * Features: early return, sequential awaits, destructured input with default
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.onlyUnlocks("front-door"), home.relocks(), home.notifiesOnly("family")],
  async run({ courier = "a courier" }: { courier?: string }) {
    const { ok } = await home.unlock({ doorId: "front-door" });
    if (!ok) {
      return { opened: false, locked: true };
    }
    await home.notify({ to: "family", text: `${courier} is at the front door, it is open.` });
    const relock = await home.lock({ doorId: "front-door" });
    return { opened: true, locked: relock.ok };
  },
});
