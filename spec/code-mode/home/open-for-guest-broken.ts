/**
 * Task: Open the garden gate (garden-gate) for my guest and tell the guest; other doors stay shut.
 * Verdict: broken — onlyUnlocks("garden-gate")
 * Why: The door is found by its display name, and another lock may have "garden" in its name.
 * Features: find with toLowerCase includes, optional chaining, early return
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.onlyUnlocks("garden-gate"), home.notifiesOnly("guest"), home.notifyAtMost(1)],
  async run({ guest }: { guest: string }) {
    const locks = await home.listDevices({ kind: "lock" });
    const gate = locks.find((d) => d.name.toLowerCase().includes("garden"));
    if (!gate?.online) {
      return "Sorry, the gate is not reachable.";
    }
    const result = await home.unlock({ doorId: gate.id });
    if (result.ok) {
      await home.notify({ to: "guest", text: `Hi ${guest}, the gate is open.` });
    }
    return result.ok ? `The gate is open for ${guest}.` : "The gate did not open.";
  },
});
