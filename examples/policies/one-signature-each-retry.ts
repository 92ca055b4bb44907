/** Wrong: pays again with the same signature when a payment failed, and it may have been made. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.oneSignatureEach()],
  async run() {
    await money.sign({ ref: "bill-7" });
    try {
      await money.pay({ ref: "bill-7", payee: "Acme", amount: 40 });
    } catch {
      await money.pay({ ref: "bill-7", payee: "Acme", amount: 40 });
    }
  },
});
