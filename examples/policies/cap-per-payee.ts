/** Pays each of two people once, within the cap for each. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.payeeAtMost(100), money.spendsAtMost(200)],
  async run({ tip }: { tip: number }) {
    for (const payee of ["ann", "bob"]) {
      await money.pay({ ref: `tip-${payee}`, payee, amount: Math.min(100, Math.max(tip, 1)) });
    }
  },
});
