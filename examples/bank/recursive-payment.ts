/** A helper that calls itself pays three times as much as the guarantee allows. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

async function pay(times: number): Promise<void> {
  if (times === 0) return;
  await bank.withdraw({ account: "card", amount: 100 });
  await pay(times - 1);
}

export default program({
  guarantees: [bank.maxSpend(100)],
  async run() {
    await pay(3);
  },
});
