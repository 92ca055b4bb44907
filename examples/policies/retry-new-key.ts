/** Wrong: makes a new key for each try, so that the bank charges each. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.repeatsAlike(), money.keysApart()],
  async run({ order }: { order: string }) {
    for (let i = 0; i < 3; i++) {
      try {
        await money.charge({ order, amount: 30, key: `order-${order}-${i}` });
        return;
      } catch {
        continue;
      }
    }
  },
});
