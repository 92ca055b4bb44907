/** Calls people who agreed. */
import { program } from "foreclaim";
import * as data from "./tools/data";

export default program({
  guarantees: [data.agreedOnly()],
  async run() {
    for (const person of await data.people()) if (person.agreed) await data.dial({ phone: person.phone });
  },
});
