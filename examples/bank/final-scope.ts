/** Wrong: a local `LIMIT` of 1000 does not change what the guarantee promised with the `LIMIT` of the file. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

const LIMIT = 100;

export default program({
  guarantees: [bank.maxSpend(LIMIT)],
  async run() {
    const LIMIT = 1000;
    const owed = await bank.balance({ account: "card" });
    await bank.withdraw({ account: "card", amount: Math.min(owed, LIMIT) });
  },
});
