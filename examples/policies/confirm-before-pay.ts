/** Asks about each bill, and pays those to which the owner said yes. */
import { program } from "foreclaim";
import * as money from "./tools/money";

interface Bill {
  ref: string;
  payee: string;
  amount: number;
}

export default program({
  guarantees: [money.confirmedFirst()],
  async run({ bills }: { bills: Bill[] }) {
    for (const { ref, payee, amount } of bills) {
      if (amount <= 0) continue;
      if (await money.confirm({ payee, amount })) await money.pay({ ref, payee, amount });
    }
  },
});
