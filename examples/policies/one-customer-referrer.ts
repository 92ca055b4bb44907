/** Wrong: enters the number for the referrer of the customer, too. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.oneCustomer()],
  async run({ customer, referrer, phone }: { customer: string; referrer: string; phone: string }) {
    await data.update({ customer, phone });
    if (referrer !== "") await data.update({ customer: referrer, phone });
  },
});
