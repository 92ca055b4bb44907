/** Wrong: the pattern is not anchored, so that `C-0001 or all` passes. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.idsOnly()],
  async run({ customer }: { customer: string }) {
    if (!/C-[0-9]{4}/.test(customer)) throw new Error("no such customer");
    await data.forget({ customer });
  },
});
