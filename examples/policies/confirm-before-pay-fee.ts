/** Wrong: adds a fee after the owner said yes to the amount without it. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.confirmedFirst()],
  async run({ urgent }: { urgent: boolean }) {
    const fee = urgent ? 2 : 0;
    const isRight = await money.confirm({ payee: "Acme", amount: 40 });
    if (isRight) await money.pay({ ref: "bill-7", payee: "Acme", amount: 40 + fee });
  },
});
