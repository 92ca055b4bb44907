/** Reads and writes for one customer. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.oneCustomer()],
  async run({ customer, phone }: { customer: string; phone: string }) {
    const found = await data.documents({ customer });
    if (found.length > 0) await data.update({ customer, phone });
  },
});
