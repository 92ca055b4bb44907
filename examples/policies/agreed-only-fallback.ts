/** Wrong: calls the first of all when nobody agreed. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.agreedOnly()],
  async run() {
    const everybody = await data.people();
    const person = everybody.find((one) => one.agreed) ?? everybody[0];
    if (person !== undefined) await data.dial({ phone: person.phone });
  },
});
