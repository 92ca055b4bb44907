/** Pays bills as long as the sum stays below the cap. */
import { program } from "foreclaim";
import * as money from "./tools/money";

interface Bill {
  ref: string;
  payee: string;
  amount: number;
}

export default program({
  guarantees: [money.spendsAtMost(1000)],
  async run({ bills }: { bills: Bill[] }) {
    let total = 0;
    for (const bill of bills) {
      if (bill.amount <= 0 || total + bill.amount > 1000) continue;
      await money.pay({ ref: bill.ref, payee: bill.payee, amount: bill.amount });
      total += bill.amount;
    }
  },
});
