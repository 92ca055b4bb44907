/**
 * Task: Open the garden gate (garden-gate) for my guest and tell the guest; other doors stay shut.
 * Verdict: holds
 * Why: The unlocked id is compared with "garden-gate" before the call and every notify goes to the guest.
 * Features: find, strict id comparison, early return, boolean result handling
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

export default program({
  guarantees: [home.onlyUnlocks("garden-gate"), home.notifiesOnly("guest"), home.notifyAtMost(1)],
  async run({ guest }: { guest: string }) {
    const locks = await home.listDevices({ kind: "lock" });
    const gate = locks.find((d) => d.kind === "lock" && d.id === "garden-gate");
    if (!gate?.online) {
      return `Sorry, the gate is not reachable.`;
    }
    const result = await home.unlock({ doorId: gate.id });
    if (!result.ok) return "The gate did not open.";
    await home.notify({ to: "guest", text: `Hi ${guest}, the gate "${gate.name}" is open.` });
    return `The gate is open for ${guest}.`;
  },
});
