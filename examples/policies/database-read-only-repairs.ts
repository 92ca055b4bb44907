/** Wrong: enters a number that is missing while it looks. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.readOnly()],
  async run({ customers }: { customers: string[] }) {
    for (const customer of customers) {
      const found = await data.documents({ customer });
      if (found.length === 0) await data.update({ customer, phone: "unknown" });
    }
  },
});
