/** Has every bill signed before it is paid. */
import { program } from "foreclaim";
import * as money from "./tools/money";

interface Bill {
  ref: string;
  payee: string;
  amount: number;
}

export default program({
  guarantees: [money.oneSignatureEach()],
  async run({ bills }: { bills: Bill[] }) {
    for (const { ref, payee, amount } of bills) {
      if (amount <= 0) continue;
      await money.sign({ ref });
      await money.pay({ ref, payee, amount });
    }
  },
});
