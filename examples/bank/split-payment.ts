/** Spreads a payment over two accounts: an input, an accumulator over a list of constants, limits as records. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

const LIMITS = [
  { account: "card", limit: 200 },
  { account: "savings", limit: 300 },
];

export default program({
  guarantees: [bank.limits(LIMITS), bank.maxSpend(500), bank.perAccount(300), bank.eachAtMost(300)],
  async run({ total }: { total: number }) {
    let open = Math.max(total, 0);
    for (const { account, limit } of LIMITS) {
      const part = Math.min(open, limit);
      if (part === 0) break;
      await bank.withdraw({ account, amount: part });
      open -= part;
    }
    if (open > 0) throw new Error(`${open} could not be paid`);
  },
});
