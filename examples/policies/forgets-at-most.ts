/** Forgets the one customer that asked for it. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.forgetsAtMost(1)],
  async run({ customer, confirmed }: { customer: string; confirmed: boolean }) {
    if (confirmed) await data.forget({ customer });
  },
});
