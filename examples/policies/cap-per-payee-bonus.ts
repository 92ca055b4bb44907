/** Wrong: the best of the two gets a bonus on top. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.payeeAtMost(100), money.spendsAtMost(300)],
  async run({ best }: { best: string }) {
    for (const payee of ["ann", "bob"]) await money.pay({ ref: `tip-${payee}`, payee, amount: 100 });
    if (best === "ann" || best === "bob") await money.pay({ ref: "bonus", payee: best, amount: 50 });
  },
});
