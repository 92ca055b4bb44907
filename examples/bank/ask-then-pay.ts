/** Asks before paying, and pays only after a yes: short-circuit and order. */
import { program } from "foreclaim";
import { askedFirst, balance, confirm, maxSpend, withdraw } from "./tools/bank";

const PRICE = 49.9;

export default program({
  guarantees: [askedFirst(), maxSpend(50)],
  async run() {
    const enough = (await balance({ account: "card" })) >= PRICE;
    const wanted = enough && (await confirm({ question: `Pay ${PRICE}?` }));
    if (wanted) await withdraw({ account: "card", amount: PRICE });
  },
});
