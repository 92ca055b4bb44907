/** Wrong: forgets everybody on a list. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.forgetsAtMost(1)],
  async run({ customers }: { customers: string[] }) {
    for (const customer of customers) await data.forget({ customer });
  },
});
