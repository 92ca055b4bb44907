/** Wrong: the second approval comes after the payment. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.twoApprovals(), money.twoPersons()],
  async run() {
    await money.approve({ ref: "bill-7", by: "ann" });
    await money.pay({ ref: "bill-7", payee: "Acme", amount: 4000 });
    await money.approve({ ref: "bill-7", by: "bob" });
  },
});
