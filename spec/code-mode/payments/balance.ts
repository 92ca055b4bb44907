/**
 * Task: What's our balance?
 * Verdict: holds
 * Why: Only getBalance is called.
 * Features: destructuring, map, template string
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

export default program({
  guarantees: [payments.readOnly()],
  async run() {
    const { available } = await payments.getBalance({});
    return (
      available.map((m) => `${(m.amount / 100).toFixed(2)} ${m.currency.toUpperCase()}`).join(", ") || "empty"
    );
  },
});
