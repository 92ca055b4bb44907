/** Two people approve before the bill is paid. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.twoPersons()],
  async run() {
    for (const by of ["ann", "bob"]) await money.approve({ ref: "bill-7", by });
    await money.pay({ ref: "bill-7", payee: "Acme", amount: 4000 });
  },
});
