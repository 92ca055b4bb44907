/** Wrong: asks and does not look at the answer; the contract that wants only a question does not mind. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.askedFirst(), money.confirmedFirst()],
  async run() {
    await money.confirm({ payee: "Acme", amount: 40 });
    await money.pay({ ref: "bill-7", payee: "Acme", amount: 40 });
  },
});
